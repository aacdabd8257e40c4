/** The entry point on Cloudflare Workers, which compile imported .wasm files beforehand; see wrangler.toml. */

import { createHandler } from "./handler.mjs";
import { makeVerifier } from "./verifier.mjs";

export default createHandler(makeVerifier);
