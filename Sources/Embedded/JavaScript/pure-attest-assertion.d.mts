/** App Attest assertions in WebAssembly, without attestations and receipts. */

import type { Options, PureAttest } from "./pure-attest.mjs";

export { BrokenInstanceError, RefusedError, SelfTestError } from "./pure-attest.mjs";
export type { AgePolicy, App, Bytes, Category, Environment, LaunchPolicy, Options, SystemPolicy, Time, Verified, WebKey } from "./pure-attest.mjs";

/** What a `PureAttest` does with assertions, in a module that has nothing else. */
export class AssertionVerifier
  implements Pick<PureAttest, "appIDs" | "environment" | "importKey" | "isBroken" | "memorySize" | "selfTest" | "sha256" | "verifyAssertion" | "verifyP256"> {
  /** @param module PureAttestAssertion.wasm, compiled by the caller (in a Worker: imported); the whole module does, too */
  static instantiate(module: WebAssembly.Module, options: Options): Promise<AssertionVerifier>;

  private constructor();
  readonly appIDs: PureAttest["appIDs"];
  readonly environment: PureAttest["environment"];
  readonly memorySize: PureAttest["memorySize"];
  readonly isBroken: PureAttest["isBroken"];
  /** The parts that assertions use. */
  selfTest: PureAttest["selfTest"];
  verifyAssertion: PureAttest["verifyAssertion"];
  importKey: PureAttest["importKey"];
  sha256: PureAttest["sha256"];
  verifyP256: PureAttest["verifyP256"];
}
