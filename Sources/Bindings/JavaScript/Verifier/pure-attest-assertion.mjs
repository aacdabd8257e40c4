/**
 * Verifies only assertions, with a module of two fifths of the size: for an edge worker, if a server registers the keys.
 * PureAttestAssertion.wasm has no certificate reader and no P-384. Types: pure-attest-assertion.d.mts.
 */

import { PureAttest } from "./pure-attest.mjs";

export { BrokenInstanceError, RefusedError, SelfTestError } from "./pure-attest.mjs";

export class AssertionVerifier {
  /** The full verifier; only functions of the assertion module are called. */
  #verifier;

  static async instantiate(module, options) {
    return new AssertionVerifier(await PureAttest.instantiate(module, options));
  }

  constructor(verifier) {
    this.#verifier = verifier;
  }

  get appIDs() {
    return this.#verifier.appIDs;
  }

  get environment() {
    return this.#verifier.environment;
  }

  get memorySize() {
    return this.#verifier.memorySize;
  }

  get isBroken() {
    return this.#verifier.isBroken;
  }

  selfTest() {
    this.#verifier.selfTest();
  }

  verifyAssertion(object) {
    return this.#verifier.verifyAssertion(object);
  }

  importKey(key) {
    return this.#verifier.importKey(key);
  }

  sha256(message) {
    return this.#verifier.sha256(message);
  }

  verifyP256(publicKey, signature, message) {
    return this.#verifier.verifyP256(publicKey, signature, message);
  }
}
