/** Verifiers that trust a virtual device, by the test module's additional export, called on each new verifier. */

import { verifierTrusting } from "../../JavaScript/Test/party-support.mjs";
import { PureAttest } from "../../JavaScript/pure-attest.mjs";

/** `changes`: exports to replace. */
export function instantiateTrusting(module, anchor, options, changes) {
  return verifierTrusting(module, PureAttest, anchor, options, (exports) => ({ ...exports, ...changes }));
}
