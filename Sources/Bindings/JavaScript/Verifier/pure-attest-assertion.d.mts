/** App Attest assertions in WebAssembly, without attestations and receipts. */

import type { Options, PureAttest } from "./pure-attest.mjs";

export { BrokenInstanceError, RefusedError, SelfTestError } from "./pure-attest.mjs";
export type { AgePolicy, App, Bytes, Category, Environment, LaunchPolicy, Options, SystemPolicy, Time, Verified, WebKey } from "./pure-attest.mjs";

/** The functions of `PureAttest` for assertions, with a smaller module. */
export class AssertionVerifier
  implements Pick<PureAttest, "appIDs" | "environment" | "importKey" | "isBroken" | "memorySize" | "selfTest" | "sha256" | "verifyAssertion" | "verifyP256"> {
  /** @param module PureAttestAssertion.wasm, or the whole module, compiled by the caller (in a Worker: imported) */
  static instantiate(module: WebAssembly.Module, options: Options): Promise<AssertionVerifier>;

  private constructor();
  readonly appIDs: PureAttest["appIDs"];
  readonly environment: PureAttest["environment"];
  readonly memorySize: PureAttest["memorySize"];
  readonly isBroken: PureAttest["isBroken"];
  /** Tests the parts that assertions use. */
  selfTest: PureAttest["selfTest"];
  verifyAssertion: PureAttest["verifyAssertion"];
  importKey: PureAttest["importKey"];
  sha256: PureAttest["sha256"];
  verifyP256: PureAttest["verifyP256"];
}
