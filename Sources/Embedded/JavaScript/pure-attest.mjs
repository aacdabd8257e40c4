/**
 * App Attest verification in WebAssembly: no imports, no dependency.
 */

/** What the numbers of RefusalCodes.swift mean. */
const REASONS = [
  "verified",
  "inputTooLarge",
  "emptyChallenge",
  "emptyClientDataHash",
  "keyOfOtherEnvironment",
  "keyOfUnknownApp",
  "malformedKeyRecord",
  "unsupportedKeyRecord",
  "invalidPublicKey",
  "malformedCBOR",
  "malformedAttestationObject",
  "unsupportedFormat",
  "malformedAssertionObject",
  "truncatedAuthenticatorData",
  "malformedCredentialKey",
  "malformedExtensions",
  "extensionSpelledTwice",
  "wrongCertificateCount",
  "certificate",
  "nonceExtensionMissing",
  "malformedNonceExtension",
  "nonceMismatch",
  "unsupportedLeafKey",
  "keyIDMismatch",
  "appIDMismatch",
  "counterNotZero",
  "unknownEnvironment",
  "environmentMismatch",
  "credentialIDMismatch",
  "credentialKeyMismatch",
  "accessControlListMissing",
  "accessControlListMismatch",
  "malformedSignature",
  "invalidSignature",
  "counterNotIncreased",
  "counterReplayed",
  "challengeMismatch",
  "challengeNotFound",
  "validationCategoryNotAllowed",
  "bundleVersionNotAllowed",
];

/** Why an object was refused; `code` is the name of the broken rule, as PureAttestError names it. */
export class RefusedError extends Error {
  constructor(number) {
    const code = REASONS[number] ?? "unknown";
    super(`App Attest object refused: ${code}`);
    this.name = "RefusedError";
    this.code = code;
  }
}

const KEY_RECORD_SIZE = 111;
const ENVIRONMENTS = { production: 1, development: 2 };

export class PureAttest {
  #exports;
  #app;
  #environment;

  /**
   * The module is compiled by the caller, because edge workers forbid it at run time.
   *
   * @param {WebAssembly.Module} module the compiled PureAttestWasm.wasm
   * @param {{appID: string, environment: "production" | "development"}} app prefix, ".", bundle ID
   */
  constructor(module, { appID, environment }) {
    if (!Object.hasOwn(ENVIRONMENTS, environment)) throw new TypeError(`unknown environment ${environment}`);
    this.#exports = new WebAssembly.Instance(module, {}).exports;
    this.#app = new TextEncoder().encode(appID);
    this.#environment = ENVIRONMENTS[environment];
  }

  /** Bytes of linear memory in use by the instance; it never shrinks. */
  get memorySize() {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Verifies an attestation, or throws a {@link RefusedError}.
   *
   * @param {object} object `challenge`, or in its place `clientDataHash`; `now` in seconds since 1970
   * @returns {Uint8Array} the key record to store
   */
  verifyAttestation({ attestation, keyID, challenge, clientDataHash, now }) {
    if ((challenge === undefined) === (clientDataHash === undefined)) {
      throw new TypeError("either challenge or clientDataHash");
    }
    const time = BigInt(Math.floor(now));
    const isHashed = challenge === undefined ? 1 : 0;
    const inputs = [this.#app, attestation, keyID, challenge ?? clientDataHash];
    return this.#call(KEY_RECORD_SIZE, inputs, (record, app, appCount, ...objects) => {
      const environment = this.#environment;
      const code = this.#exports.verifyAttestation(app, appCount, environment, ...objects, isHashed, time, record);
      return this.#record(code, record);
    });
  }

  /**
   * Verifies an assertion, or throws a {@link RefusedError}. The challenge is what the client data must be; `null` says
   * that the caller compares it in the client data.
   *
   * @returns {Uint8Array} the key record with the advanced counter, to store in place of `keyRecord`
   */
  verifyAssertion({ assertion, clientData, challenge, keyRecord }) {
    if (challenge === undefined) throw new TypeError("challenge: bytes, or null if the caller compares them");
    if (keyRecord.length !== KEY_RECORD_SIZE) throw new RefusedError(REASONS.indexOf("malformedKeyRecord"));
    const inputs = [this.#app, assertion, clientData, challenge ?? new Uint8Array(), keyRecord];
    return this.#call(0, inputs, (_, app, appCount, ...rest) => {
      const [object, objectCount, data, dataCount, expected, expectedCount, record] = rest;
      const code = this.#exports.verifyAssertion(
        app, appCount, this.#environment, object, objectCount, data, dataCount,
        expected, challenge === null ? -1 : expectedCount, record);
      return this.#record(code, record);
    });
  }

  #record(code, record) {
    if (code !== 0) throw new RefusedError(code);
    return this.#read(record, KEY_RECORD_SIZE);
  }

  /** @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
  sha256(message) {
    return this.#call(32, [message], (result, ...inputs) => {
      this.#exports.sha256(...inputs, result);
      return this.#read(result, 32);
    });
  }

  /**
   * ECDSA with SHA-256 over P-256. A malformed key or signature is `false`, as a wrong one is.
   *
   * @param {Uint8Array} publicKey 65 bytes, uncompressed
   * @param {Uint8Array} signature DER
   * @param {Uint8Array} message
   * @returns {boolean}
   */
  verifyP256(publicKey, signature, message) {
    return this.#call(0, [publicKey, signature, message], (_, ...inputs) => {
      return this.#exports.verifyP256(...inputs) === 1;
    });
  }

  /** As {@link verifyP256}, with SHA-384 over P-384; the key has 97 bytes. */
  verifyP384(publicKey, signature, message) {
    return this.#call(0, [publicKey, signature, message], (_, ...inputs) => {
      return this.#exports.verifyP384(...inputs) === 1;
    });
  }

  /** A copy of `count` bytes of the instance's memory. */
  #read(start, count) {
    return new Uint8Array(this.#exports.memory.buffer).slice(start, start + count);
  }

  /**
   * Calls `body(result, pointer, count, …)` with a block for the result and with each input copied into the instance's
   * memory; frees them all on the way out.
   */
  #call(resultSize, inputs, body) {
    const blocks = [];
    const allocate = (size) => {
      const block = this.#exports.allocate(size) >>> 0;
      if (block === 0) throw new RangeError("out of memory");
      blocks.push(block);
      return block;
    };
    try {
      const result = allocate(resultSize);
      const pairs = inputs.flatMap((input) => {
        const block = allocate(input.length);
        // The view is made anew each time: an allocation may have moved the memory to a larger buffer.
        new Uint8Array(this.#exports.memory.buffer).set(input, block);
        return [block, input.length];
      });
      return body(result, ...pairs);
    } finally {
      blocks.forEach((block) => this.#exports.deallocate(block));
    }
  }
}
