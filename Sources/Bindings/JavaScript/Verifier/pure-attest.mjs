/** App Attest verification in WebAssembly, without imports and dependencies. Types: pure-attest.d.mts. */

import { ENVIRONMENTS, INPUT_LIMITS, copyOf, limitOf, membersOf, numberOf, secondsOf, textFrom, utf8Of } from "./arguments.mjs";
import { RefusedError } from "./errors.mjs";
import { ModuleInstance, accept, instanceOf } from "./instance.mjs";
import { OPTIONS, PLATFORMS, POLICIES, appsOf } from "./policies.mjs";
import { REASONS } from "../Generated/reasons.mjs";
import { RECEIPT, RECEIPT_SIZE, RESULT, RESULT_SIZE } from "../Generated/result-layout.mjs";
import { testModule } from "./self-test.mjs";
import { keyRecordOf, storedKey } from "./stored-key.mjs";

const COUNTER_POLICIES = { strict: 0, slidingWindow: 1 };

export { BrokenInstanceError, RefusedError } from "./errors.mjs";
export { SelfTestError } from "./self-test.mjs";

/** For explain.mjs and relying-party.mjs; not part of the public interface. */
export let callIn;
export let partyIn;

export class PureAttest {
  #instance;
  #exports;
  #verifier;
  #apps;
  #environment;

  static async instantiate(module, options) {
    return new PureAttest(await instanceOf(module), options);
  }

  constructor(instance, options) {
    membersOf(options, "options", OPTIONS);
    this.#instance = new ModuleInstance(instance);
    this.#exports = instance.exports;
    this.#environment = options.environment;
    this.#apps = appsOf(options);
    this.#verifier = this.#exports.pure_attest_verifier_create(numberOf(ENVIRONMENTS, options.environment, "environment"));
    const { counterPolicy = "strict", clockSkew = 0 } = options;
    for (const { appID, platform } of this.#apps) {
      this.#set("add_app", utf8Of(appID, INPUT_LIMITS.appID), numberOf(PLATFORMS, platform, "platform"));
    }
    this.#set("set_counter_policy", numberOf(COUNTER_POLICIES, counterPolicy, "counterPolicy"));
    this.#set("set_clock_skew", limitOf(clockSkew, "clockSkew"));
    // Sets each app's own policies before the common policies, because select_app copies the common policies to the
    // app.
    for (const [index, { policies }] of this.#apps.entries()) {
      if (Object.values(policies).every((policy) => policy === undefined)) continue;
      this.#set("select_app", index);
      for (const [name, set] of Object.entries(POLICIES)) {
        set(this.#set.bind(this), policies[name] === undefined ? options[name] : policies[name]);
      }
    }
    this.#set("select_app", -1);
    for (const [name, set] of Object.entries(POLICIES)) set(this.#set.bind(this), options[name]);
  }

  /** Sets an option by the export of this name; each value is a number, or bytes for a pointer and a count. */
  #set(name, ...values) {
    const inputs = values.filter((value) => typeof value !== "number");
    const numbers = values.filter((value) => typeof value === "number");
    this.#instance.call(0, inputs, (_, ...pairs) =>
      accept(this.#exports[`pure_attest_verifier_${name}`](this.#verifier, ...pairs, ...numbers)));
  }

  get appIDs() {
    return this.#apps.map(({ appID }) => appID);
  }

  get environment() {
    return this.#environment;
  }

  get memorySize() {
    return this.#instance.memorySize;
  }

  get isBroken() {
    return this.#instance.isBroken;
  }

  selfTest() {
    this.#instance.call(0, [], () => testModule(this.#exports));
  }

  verifyAttestation({ attestation, keyID, challenge, clientDataHash, now = Date.now() / 1000, verifyReceipt = false }) {
    if ((challenge === undefined) === (clientDataHash === undefined)) {
      throw new TypeError("either challenge or clientDataHash");
    }
    if (typeof verifyReceipt !== "boolean") throw new TypeError("verifyReceipt: true or false");
    const object = copyOf(attestation, "attestation");
    const inputs = [
      object, copyOf(keyID, "keyID"),
      challenge === undefined ? copyOf(clientDataHash, "clientDataHash") : copyOf(challenge, "challenge"),
    ];
    const flags = (challenge === undefined ? 1 : 0) | (verifyReceipt ? 2 : 0);
    const time = secondsOf(now);
    return this.#instance.call(RESULT_SIZE, inputs, (result, ...pairs) => {
      accept(
        this.#exports.pure_attest_verify_attestation(this.#verifier, ...pairs, flags, time, result));
      const view = this.#instance.view(result, RESULT_SIZE);
      const receipt = view.getInt32(RESULT.receiptOffset, true);
      return {
        ...this.#result(view),
        keyID: inputs[1],
        receipt: object.slice(receipt, receipt + view.getInt32(RESULT.receiptCount, true)),
        osVersion: text(view, RESULT.osVersion, 32),
      };
    });
  }

  verifyAssertion({ assertion, clientData, challenge, keyRecord, now = Date.now() / 1000 }) {
    if (challenge === undefined) throw new TypeError("challenge: bytes, or null if the caller compares them");
    const inputs = [
      copyOf(assertion, "assertion"), copyOf(clientData, "clientData"),
      challenge === null ? new Uint8Array() : copyOf(challenge, "challenge"), copyOf(keyRecord, "keyRecord"),
    ];
    const time = secondsOf(now);
    return this.#instance.call(RESULT_SIZE, inputs, (result, ...pairs) => {
      if (challenge === null) pairs[5] = -1;
      accept(this.#exports.pure_attest_verify_assertion(this.#verifier, ...pairs, time, result));
      return this.#result(this.#instance.view(result, RESULT_SIZE));
    });
  }

  verifyReceipt({ receipt, keyRecord, now = Date.now() / 1000, maximumAge = 300 }) {
    const inputs = [copyOf(receipt, "receipt"), copyOf(keyRecord, "keyRecord")];
    const age = maximumAge === null ? -1 : limitOf(maximumAge, "maximumAge");
    const time = secondsOf(now);
    return this.#instance.call(RECEIPT_SIZE, inputs, (result, ...pairs) => {
      accept(this.#exports.pure_attest_verify_receipt(this.#verifier, ...pairs, time, age, result));
      const view = this.#instance.view(result, RECEIPT_SIZE);
      const number = (offset) => Number(view.getBigInt64(offset, true));
      const optional = (offset) => (number(offset) < 0 ? null : number(offset));
      return {
        creationTime: number(RECEIPT.creationTime),
        notBefore: optional(RECEIPT.notBefore),
        expirationTime: number(RECEIPT.expirationTime),
        riskMetric: optional(RECEIPT.riskMetric),
        kind: number(RECEIPT.kind) === 1 ? "attestation" : "answer",
      };
    });
  }

  importKey({ publicKey, appID = this.#apps[0].appID, counter }) {
    if (!this.appIDs.includes(appID)) throw new TypeError("appID: one of the verifier's");
    const point = copyOf(storedKey(publicKey), "publicKey");
    if (point.length !== 65 || point[0] !== 4) throw new RefusedError(REASONS.indexOf("invalidPublicKey"));
    const used = limitOf(counter, "counter", 0xffff_ffff);
    const keyRecord = keyRecordOf(point, this.sha256(utf8Of(appID, INPUT_LIMITS.appID)), ENVIRONMENTS[this.#environment], used);
    try {
      this.verifyAssertion({ assertion: new Uint8Array(), clientData: new Uint8Array(), challenge: null, keyRecord });
    } catch (error) {
      // The call always fails. If the key is invalid, the record is rejected. Otherwise the empty assertion is
      // rejected.
      if (!(error instanceof RefusedError) || error.code === "invalidPublicKey") throw error;
    }
    return { keyRecord, publicKey: point };
  }

  static {
    partyIn = (verifier, settings) =>
      verifier.#instance.partner("pure_attest_party_create", "PureAttestRelyingParty.wasm", settings, verifier.#verifier);
    /** Returns the block that the export of this name wrote, and frees it. */
    callIn = (verifier, name, inputs, argumentsOf) => {
      const call = verifier.#exports[name];
      if (!call) throw new TypeError("module: PureAttestExplainWasm.wasm");
      return verifier.#instance.replyOf(inputs, (result, ...pairs) => call(verifier.#verifier, ...argumentsOf(pairs), result));
    };
  }

  sha256(message) {
    return this.#instance.call(32, [copyOf(message, "message")], (result, ...pair) => {
      accept(this.#exports.pure_attest_sha256(...pair, result));
      return this.#instance.copy(result, 32);
    });
  }

  verifyP256(publicKey, signature, message) {
    return this.#verifySignature(this.#exports.pure_attest_verify_p256, publicKey, signature, message);
  }

  verifyP384(publicKey, signature, message) {
    return this.#verifySignature(this.#exports.pure_attest_verify_p384, publicKey, signature, message);
  }

  #verifySignature(verify, publicKey, signature, message) {
    const whole = copyOf(message, "message");
    let pair;
    try {
      pair = [copyOf(publicKey, "publicKey"), copyOf(signature, "signature")];
    } catch (error) {
      // If the key or the signature is too long, the verification fails. If the message is too long, `copyOf` above
      // throws.
      if (error instanceof RefusedError) return false;
      throw error;
    }
    return this.#instance.call(0, [...pair, whole], (_, ...pairs) => verify(...pairs) === 1);
  }

  /** Returns the members that attestations and assertions share. */
  #result(view) {
    const start = RESULT.keyRecord + 4;
    const keyRecord = new Uint8Array(view.buffer).slice(start, start + view.getInt32(RESULT.keyRecord, true));
    const unverified = launchInformation(
      view, RESULT.unverifiedValidationCategory, RESULT.unverifiedBundleVersion, RESULT.unverifiedLaunchCodeDirectoryHash);
    return {
      keyRecord,
      publicKey: keyRecord.slice(34, 99),
      counter: view.getUint32(RESULT.counter, true),
      appID: this.#apps[view.getInt32(RESULT.app, true)].appID,
      environment: this.#environment,
      ...launchInformation(view, RESULT.validationCategory, RESULT.bundleVersion, RESULT.codeDirectoryHash),
      unverifiedLaunchInformation: Object.values(unverified).every((value) => value === null) ? null : unverified,
      unverifiedCodeDirectoryHash: field(view, RESULT.unverifiedCodeDirectoryHash, 64),
      platform: text(view, RESULT.platform, 32),
      build: text(view, RESULT.build, 32),
      releaseType: text(view, RESULT.releaseType, 32),
    };
  }
}

function launchInformation(view, category, version, hash) {
  const number = Number(view.getBigInt64(category, true));
  const codeDirectoryHash = field(view, hash, 64);
  return {
    validationCategory: number < 0 ? null : number,
    bundleVersion: text(view, version, 64),
    codeDirectoryHash,
    codeDirectoryHashType: codeDirectoryHash && view.getUint8(hash + 68),
  };
}

function text(view, offset, capacity) {
  const utf8 = field(view, offset, capacity);
  return utf8 && textFrom(utf8);
}

/** Copies the bytes after their count; null if absent. */
function field(view, offset, capacity) {
  const count = view.getInt32(offset, true);
  return count < 0 ? null : new Uint8Array(view.buffer.slice(offset + 4, offset + 4 + Math.min(count, capacity)));
}
