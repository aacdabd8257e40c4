/** Creates the verifier from the settings, for both entry points. */

import { PureAttest } from "../../Bindings/JavaScript/Verifier/pure-attest.mjs";
import module from "./PureAttestRelyingParty.wasm";

export const makeVerifier = (env) =>
  PureAttest.instantiate(module, {
    ...(env.APPS ? { apps: env.APPS } : { teamID: env.TEAM_ID, bundleID: env.BUNDLE_ID }),
    environment: env.APP_ATTEST_ENVIRONMENT,
    counterPolicy: env.COUNTER_POLICY,
    launchPolicy: env.LAUNCH_POLICY,
    systemPolicy: env.SYSTEM_POLICY,
    agePolicy: env.AGE_POLICY,
  });
