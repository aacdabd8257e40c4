/** The entry point on Cloudflare Workers, which compile imported .wasm files beforehand; see wrangler.toml. */

import { PureAttest } from "../../Bindings/JavaScript/pure-attest.mjs";
import module from "./PureAttestRelyingParty.wasm";
import { createHandler } from "./handler.mjs";

export default createHandler((env) =>
  PureAttest.instantiate(module, {
    ...(env.APPS ? { apps: env.APPS } : { teamID: env.TEAM_ID, bundleID: env.BUNDLE_ID }),
    environment: env.APP_ATTEST_ENVIRONMENT,
    counterPolicy: env.COUNTER_POLICY,
    launchPolicy: env.LAUNCH_POLICY,
    systemPolicy: env.SYSTEM_POLICY,
    agePolicy: env.AGE_POLICY,
  }));
