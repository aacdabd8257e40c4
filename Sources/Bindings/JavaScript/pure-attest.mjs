/** App Attest verification in WebAssembly, without imports and dependencies. Types: pure-attest.d.mts. */

import { CERTIFICATE_REASONS, REASONS } from "./reasons.mjs";
import { RECEIPT, RECEIPT_SIZE, RESULT, RESULT_SIZE } from "./result-layout.mjs";
import { SelfTestError, testModule } from "./self-test.mjs";
import { keyRecordOf, storedKey } from "./stored-key.mjs";

const ENVIRONMENTS = { production: 1, development: 2 };
const PLATFORMS = { device: 0, macOS: 1 };
const COUNTER_POLICIES = { strict: 0, slidingWindow: 1 };
/** Numbers of Apple's launch constraints. */
const CATEGORIES = {
  platform: 1, testFlight: 2, development: 3, appStore: 4, enterprise: 5, developerID: 6, uncategorized: 10,
};

/**
 * Input limits in bytes (InputLimits.swift, Arguments.swift; this file sets those for challenges, client data and
 * messages). The module's memory never shrinks, and a Worker has 128 MB in all.
 */
const LIMITS = {
  attestation: 65_536, assertion: 4_096, receipt: 65_536, keyID: 32, keyRecord: 1_024, challenge: 65_536, clientDataHash: 65_536,
  clientData: 4 << 20, publicKey: 256, signature: 256, message: 16 << 20, appID: 1_024, option: 1_024,
  explained: 1 << 20,
};

/** The reason of a rejection: `code` names the broken rule, `detail` the broken X.509 rule of a certificate. */
export class RefusedError extends Error {
  constructor(number) {
    const code = REASONS[number & 0xff] ?? (number === 254 ? "malformedArgument" : "unknown");
    const detail = CERTIFICATE_REASONS[number >> 8];
    super(`App Attest object refused: ${code}${detail ? ` (${detail})` : ""}`);
    this.name = "RefusedError";
    this.code = code;
    this.detail = detail;
  }
}

/** Thrown by each later call of an instance that trapped, or ran out of memory or stack: its state is unknown. */
export class BrokenInstanceError extends Error {
  constructor() {
    super("this instance trapped before; make a new one");
    this.name = "BrokenInstanceError";
  }
}

/** For explain.mjs and relying-party.mjs, like the argument checks below: not part of the interface. */
export let callIn;
export let partyIn;

export class PureAttest {
  #exports;
  #verifier;
  #apps;
  #environment;
  #isBroken = false;

  /**
   * Creates a verifier in its own instance. The caller compiles the module, because edge workers forbid it at run time.
   *
   * @param {WebAssembly.Module} module the compiled PureAttestWasm.wasm
   */
  static async instantiate(module, options) {
    if (!(module instanceof WebAssembly.Module)) throw new TypeError("module: a compiled WebAssembly.Module");
    return new PureAttest(await WebAssembly.instantiate(module, {}), options);
  }

  constructor(instance, options) {
    members(options, "options", OPTIONS);
    this.#exports = instance.exports;
    this.#environment = options.environment;
    this.#apps = appsOf(options);
    this.#verifier = this.#exports.pure_attest_verifier_create(named(ENVIRONMENTS, options.environment, "environment"));
    const { counterPolicy = "strict", clockSkew = 0 } = options;
    for (const { appID, platform } of this.#apps) this.#set("add_app", utf8(appID, LIMITS.appID), named(PLATFORMS, platform, "platform"));
    this.#set("set_counter_policy", named(COUNTER_POLICIES, counterPolicy, "counterPolicy"));
    this.#set("set_clock_skew", integer(clockSkew, "clockSkew"));
    // The apps' own policies come first: later they would begin as copies of the common policies.
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
    this.#call(0, inputs, (_, ...pairs) =>
      accept(this.#exports[`pure_attest_verifier_${name}`](this.#verifier, ...pairs, ...numbers)));
  }

  get appIDs() {
    return this.#apps.map(({ appID }) => appID);
  }

  get environment() {
    return this.#environment;
  }

  get memorySize() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** A call trapped or ran out of memory or stack: create a new instance. */
  get isBroken() {
    return this.#isBroken;
  }

  selfTest() {
    this.#call(0, [], () => testModule(this.#exports));
  }

  verifyAttestation({ attestation, keyID, challenge, clientDataHash, now = Date.now() / 1000, verifyReceipt = false }) {
    if ((challenge === undefined) === (clientDataHash === undefined)) {
      throw new TypeError("either challenge or clientDataHash");
    }
    if (typeof verifyReceipt !== "boolean") throw new TypeError("verifyReceipt: true or false");
    const object = bytes(attestation, "attestation");
    const inputs = [
      object, bytes(keyID, "keyID"),
      challenge === undefined ? bytes(clientDataHash, "clientDataHash") : bytes(challenge, "challenge"),
    ];
    const flags = (challenge === undefined ? 1 : 0) | (verifyReceipt ? 2 : 0);
    const time = seconds(now);
    return this.#call(RESULT_SIZE, inputs, (result, ...pairs) => {
      accept(
        this.#exports.pure_attest_verify_attestation(this.#verifier, ...pairs, flags, time, result));
      const view = this.#view(result, RESULT_SIZE);
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
      bytes(assertion, "assertion"), bytes(clientData, "clientData"),
      challenge === null ? new Uint8Array() : bytes(challenge, "challenge"), bytes(keyRecord, "keyRecord"),
    ];
    const time = seconds(now);
    return this.#call(RESULT_SIZE, inputs, (result, ...pairs) => {
      if (challenge === null) pairs[5] = -1;
      accept(this.#exports.pure_attest_verify_assertion(this.#verifier, ...pairs, time, result));
      return this.#result(this.#view(result, RESULT_SIZE));
    });
  }

  verifyReceipt({ receipt, keyRecord, now = Date.now() / 1000, maximumAge = 300 }) {
    const inputs = [bytes(receipt, "receipt"), bytes(keyRecord, "keyRecord")];
    const age = maximumAge === null ? -1 : integer(maximumAge, "maximumAge");
    const time = seconds(now);
    return this.#call(RECEIPT_SIZE, inputs, (result, ...pairs) => {
      accept(this.#exports.pure_attest_verify_receipt(this.#verifier, ...pairs, time, age, result));
      const view = this.#view(result, RECEIPT_SIZE);
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
    const point = bytes(storedKey(publicKey), "publicKey");
    if (point.length !== 65 || point[0] !== 4) throw new RefusedError(REASONS.indexOf("invalidPublicKey"));
    const used = integer(counter, "counter", 0xffff_ffff);
    const keyRecord = keyRecordOf(point, this.sha256(utf8(appID, LIMITS.appID)), ENVIRONMENTS[this.#environment], used);
    try {
      this.verifyAssertion({ assertion: new Uint8Array(), clientData: new Uint8Array(), challenge: null, keyRecord });
    } catch (error) {
      // The record is read first, so an error names the key, or else the missing assertion.
      if (!(error instanceof RefusedError) || error.code === "invalidPublicKey") throw error;
    }
    return { keyRecord, publicKey: point };
  }

  static {
    callIn = (verifier, name, inputs, argumentsOf) => verifier.#callIn(name, inputs, argumentsOf);
    partyIn = (verifier, settings) => verifier.#partyIn(settings);
  }

  /** Creates a relying party, and returns functions that pass it messages. */
  #partyIn(settings) {
    const create = this.#exports.pure_attest_party_create;
    if (!create) throw new TypeError("module: PureAttestRelyingParty.wasm");
    const party = this.#call(0, [settings], (_, ...pair) => create(this.#verifier, ...pair));
    if (party === 0) throw new TypeError("malformed settings");
    const reply = (name, input, ...numbers) => this.#call(8, [input], (result, ...pair) => {
      accept(this.#exports[name](party, ...numbers, ...pair, result));
      return this.#takeBlock(result);
    });
    return {
      begin: (request) => reply("pure_attest_party_begin", request),
      answer: (number, answer) => reply("pure_attest_party_answer", answer, number),
      drop: (number) => this.#call(0, [], () => this.#exports.pure_attest_party_drop(party, number)),
    };
  }

  /** Copies and frees the block whose address and size are in `result`. */
  #takeBlock(result) {
    const view = this.#view(result, 8);
    const [block, count] = [view.getUint32(0, true), view.getUint32(4, true)];
    try {
      return this.#copy(block, count);
    } finally {
      this.#exports.pure_attest_deallocate(block);
    }
  }

  /** Returns the block that the export of this name wrote, and frees it. */
  #callIn(name, inputs, argumentsOf) {
    const call = this.#exports[name];
    if (!call) throw new TypeError("module: PureAttestExplainWasm.wasm");
    return this.#call(8, inputs, (result, ...pairs) => {
      accept(call(this.#verifier, ...argumentsOf(pairs), result));
      return this.#takeBlock(result);
    });
  }

  sha256(message) {
    return this.#call(32, [bytes(message, "message")], (result, ...pair) => {
      accept(this.#exports.pure_attest_sha256(...pair, result));
      return this.#copy(result, 32);
    });
  }

  verifyP256(publicKey, signature, message) {
    return this.#verifySignature(this.#exports.pure_attest_verify_p256, publicKey, signature, message);
  }

  verifyP384(publicKey, signature, message) {
    return this.#verifySignature(this.#exports.pure_attest_verify_p384, publicKey, signature, message);
  }

  #verifySignature(verify, publicKey, signature, message) {
    const whole = bytes(message, "message");
    let pair;
    try {
      pair = [bytes(publicKey, "publicKey"), bytes(signature, "signature")];
    } catch (error) {
      // Too long counts as malformed.
      if (error instanceof RefusedError) return false;
      throw error;
    }
    return this.#call(0, [...pair, whole], (_, ...pairs) => verify(...pairs) === 1);
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

  #copy(start, count) {
    return new Uint8Array(this.#exports.memory.buffer).slice(start, start + count);
  }

  #view(start, count) {
    return new DataView(this.#copy(start, count).buffer);
  }

  /**
   * Calls `body(result, pointer, count, …)` with a result block and a copy of each input in the instance's memory, and
   * frees all blocks afterwards.
   */
  #call(resultSize, inputs, body) {
    if (this.#isBroken) throw new BrokenInstanceError();
    const blocks = [];
    const allocate = (size) => {
      const block = this.#exports.pure_attest_allocate(size) >>> 0;
      if (block === 0) throw new RangeError("out of memory");
      blocks.push(block);
      return block;
    };
    try {
      const result = resultSize === 0 ? 0 : allocate(resultSize);
      const pairs = inputs.flatMap((input) => {
        const block = allocate(input.length);
        // A new view each time: an allocation may have moved the memory to a larger buffer.
        new Uint8Array(this.#exports.memory.buffer).set(input, block);
        return [block, input.length];
      });
      return body(result, ...pairs);
    } catch (error) {
      // Nothing else throws here, because the inputs were checked before.
      if (!(error instanceof RefusedError)) this.#isBroken = true;
      throw error;
    } finally {
      if (!this.#isBroken) blocks.forEach((block) => this.#exports.pure_attest_deallocate(block));
    }
  }
}

function accept(code) {
  if (code !== 0) throw new RefusedError(code);
}

function appsOf({ teamID, bundleID, appID, platform = "device", apps }) {
  return list(apps ?? [{ teamID, bundleID, appID, platform }], "apps").map((app) => {
    members(app, "apps", APP_OPTIONS);
    for (const name of ["teamID", "bundleID", "appID"]) {
      if (app[name] !== undefined && typeof app[name] !== "string") throw new TypeError(`${name}: a text`);
    }
    const whole = app.appID ?? (app.teamID && app.bundleID ? `${app.teamID}.${app.bundleID}` : undefined);
    if (typeof whole !== "string") throw new TypeError("teamID and bundleID, or appID, or apps");
    const policies = Object.fromEntries(Object.keys(POLICIES).map((name) => [name, app[name]]));
    return { appID: whole, platform: app.platform ?? "device", policies };
  });
}

/** How each policy is set. An absent member keeps its default, which restricts nothing. */
const POLICIES = {
  launchPolicy(set, policy) {
    const name = "launchPolicy";
    const { categories, versions, builds, acceptsMissing, believesForgeable } = members(
      policy, name, ["categories", "versions", "builds", "acceptsMissing", "believesForgeable"]);
    for (const category of list(categories, `${name}.categories`)) {
      set("accept_category",
        typeof category === "number" ? integer(category, "category", 0xffff_ffff) : named(CATEGORIES, category, "category"));
    }
    const { atLeast, oneOf } = members(versions, `${name}.versions`, ["atLeast", "oneOf"]);
    if (versions && (atLeast === undefined) === (oneOf === undefined)) throw new TypeError(`${name}.versions: atLeast or oneOf`);
    if (atLeast !== undefined) set("require_version", utf8(atLeast));
    for (const version of list(oneOf, `${name}.versions.oneOf`)) set("accept_version", utf8(version));
    const { oneOf: hashes, acceptsTruncated } = members(builds, `${name}.builds`, ["oneOf", "acceptsTruncated"]);
    if (builds && hashes === undefined) throw new TypeError(`${name}.builds: oneOf`);
    for (const hash of list(hashes, `${name}.builds.oneOf`)) {
      const whole = codeDirectoryHash(hash);
      if (whole.length < 32 && !acceptsTruncated) throw new TypeError(`${name}.builds: 20 bytes need acceptsTruncated`);
      set("accept_build", whole);
    }
    flag(set, "accept_truncated_builds", acceptsTruncated, `${name}.builds.acceptsTruncated`);
    flag(set, "accept_missing", acceptsMissing, `${name}.acceptsMissing`);
    flag(set, "believe_forgeable", believesForgeable, `${name}.believesForgeable`);
  },

  systemPolicy(set, policy) {
    const name = "systemPolicy";
    const { minimumVersion, minimumMacOSVersion, builds, acceptsPrereleases, acceptsUnknown } = members(
      policy, name, ["minimumVersion", "minimumMacOSVersion", "builds", "acceptsPrereleases", "acceptsUnknown"]);
    if (minimumVersion !== undefined) set("require_system", PLATFORMS.device, ...systemVersion(minimumVersion));
    if (minimumMacOSVersion !== undefined) set("require_system", PLATFORMS.macOS, ...systemVersion(minimumMacOSVersion));
    for (const build of list(builds, `${name}.builds`)) {
      if (typeof build !== "string" || !/^[ -~]{1,32}$/.test(build)) throw new TypeError(`${name}.builds: texts such as "24B91"`);
      set("accept_system_build", utf8(build));
    }
    flag(set, "accept_prereleases", acceptsPrereleases, `${name}.acceptsPrereleases`);
    flag(set, "accept_unknown_systems", acceptsUnknown, `${name}.acceptsUnknown`);
  },

  agePolicy(set, policy) {
    const { maximumAttestationAge, maximumKeyAge, maximumCounterStep } = members(
      policy, "agePolicy", ["maximumAttestationAge", "maximumKeyAge", "maximumCounterStep"]);
    const limit = (name, value, option) => value !== undefined && set(name, integer(value, `agePolicy.${option}`));
    limit("limit_attestation_age", maximumAttestationAge, "maximumAttestationAge");
    limit("limit_key_age", maximumKeyAge, "maximumKeyAge");
    limit("limit_counter_step", maximumCounterStep, "maximumCounterStep");
  },
};

const APP_OPTIONS = ["teamID", "bundleID", "appID", "platform", ...Object.keys(POLICIES)];
const OPTIONS = [...APP_OPTIONS, "apps", "environment", "counterPolicy", "clockSkew"];

// A misread policy would admit what it should reject: nothing is converted, and unknown names throw.

/** Returns the members of an object, or none of undefined; throws for other members. */
function members(object, option, names) {
  if (object === undefined) return {};
  if (typeof object !== "object" || object === null || Array.isArray(object)) throw new TypeError(`${option}: an object`);
  for (const name of Object.keys(object)) {
    if (!names.includes(name)) throw new TypeError(`${option}.${name}: one of ${names.join(", ")}`);
  }
  return object;
}

/** Returns a nonempty list, or an empty one for undefined. */
function list(values, option) {
  if (values === undefined) return [];
  if (!Array.isArray(values) || values.length === 0) throw new TypeError(`${option}: one or more`);
  return Array.from(values);
}

function flag(set, name, value, option) {
  if (value === undefined) return;
  if (typeof value !== "boolean") throw new TypeError(`${option}: true or false`);
  set(name, value ? 1 : 0);
}

function integer(value, option, maximum = 0x7fff_ffff) {
  if (!Number.isSafeInteger(value) || value < 0 || value > maximum) {
    throw new TypeError(`${option}: a whole number up to ${maximum}`);
  }
  return value;
}

/** Returns the three numbers of "27", "27.1" or "27.1.2". */
function systemVersion(text) {
  const numbers = typeof text === "string" && /^\d+(\.\d+){0,2}$/.test(text) ? text.split(".") : [];
  if (numbers.length === 0 || numbers.some((number) => String(Number(number)) !== number || number > 65_535)) {
    throw new TypeError('systemPolicy: a version such as "27.1"');
  }
  return [...numbers.map(Number), 0, 0].slice(0, 3);
}

function codeDirectoryHash(value) {
  const isHex = typeof value === "string" && /^([0-9a-f]{2})+$/i.test(value);
  const hash = isHex ? Uint8Array.from(value.match(/../g), (byte) => parseInt(byte, 16)) : bytes(value, "option");
  if (hash.length !== 32 && hash.length !== 20) throw new TypeError("launchPolicy.builds: 32 bytes, or the first 20");
  return hash;
}

/** Returns the number of an option's name. */
function named(table, name, option) {
  if (!Object.hasOwn(table, name)) throw new TypeError(`${option}: one of ${Object.keys(table).join(", ")}`);
  return table[name];
}

function utf8(text, limit = LIMITS.option) {
  if (typeof text !== "string") throw new TypeError("a text");
  const encoded = new TextEncoder().encode(text);
  if (encoded.length > limit) throw new TypeError(`a text of at most ${limit} bytes`);
  return encoded;
}

// The type and length of an array, read by getters that no object can override (ECMA-262 §23.2.3).
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const [kindOf, lengthOf] = [Symbol.toStringTag, "length"].map((name) => getter(typedArray, name));
const sizeOf = getter(ArrayBuffer.prototype, "byteLength");

function isArrayBuffer(value) {
  try {
    sizeOf.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns a Uint8Array or the bytes of an ArrayBuffer, and throws for anything else. */
function arrayOf(value, name) {
  const array = isArrayBuffer(value) ? new Uint8Array(value) : value;
  if (kindOf.call(array) !== "Uint8Array") throw new TypeError(`${name}: a Uint8Array or an ArrayBuffer`);
  return array;
}

/**
 * Copies a Uint8Array or ArrayBuffer once; all checks use the copy. The original may be part of another buffer, or
 * shared with a writing thread. Rejects by size before copying.
 */
function bytes(value, name) {
  const array = arrayOf(value, name);
  const length = lengthOf.call(array);
  if (length > LIMITS[name]) throw new RefusedError(REASONS.indexOf("inputTooLarge"));
  const copy = new Uint8Array(length);
  typedArray.set.call(copy, array);
  return copy;
}

/** Copies bytes like `bytes`, but at most one more than `limit`: enough for the module to reject them by their size. */
function bytesUpTo(limit, value, name) {
  const array = arrayOf(value, name);
  const copy = new Uint8Array(Math.min(lengthOf.call(array), limit + 1));
  for (let index = 0; index < copy.length; index += 1) copy[index] = array[index];
  return copy;
}

/**
 * The first second after the last time that a certificate can name, 9999-12-31T23:59:59Z (RFC 5280 §4.1.2.5). In
 * milliseconds it would be in 1978.
 */
const YEAR_10000 = 253_402_300_800;

/**
 * Returns whole seconds since 1970, from a number of seconds or a Date. Throws for milliseconds, which would make every
 * certificate look expired.
 */
function seconds(now, name = "now") {
  const value = now instanceof Date ? now.getTime() / 1000 : now;
  if (typeof value !== "number" || !(value >= 0)) throw new TypeError(`${name}: seconds since 1970, or a Date`);
  if (value >= YEAR_10000) throw new TypeError(`${name}: seconds since 1970, not milliseconds; up to the year 9999`);
  return BigInt(Math.floor(value));
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
  // Drops nothing, not even U+FEFF at the front.
  return utf8 && new TextDecoder("utf-8", { ignoreBOM: true }).decode(utf8);
}

/** Copies the bytes after their count; null if absent. */
function field(view, offset, capacity) {
  const count = view.getInt32(offset, true);
  return count < 0 ? null : new Uint8Array(view.buffer.slice(offset + 4, offset + 4 + Math.min(count, capacity)));
}

export {
  LIMITS as INPUT_LIMITS, SelfTestError, bytes as copyOf, bytesUpTo as copyUpTo, integer as limitOf, list as listOf, members as membersOf,
  seconds as secondsOf,
};
