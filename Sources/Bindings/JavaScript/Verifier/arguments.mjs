/** Checks arguments and options, for the whole package. */

import { RefusedError } from "./errors.mjs";
import { REASONS } from "../Generated/reasons.mjs";

/**
 * Input limits in bytes (InputLimits.swift, Arguments.swift). This package itself limits challenges, client data and
 * messages, because the module's memory never shrinks and a Worker has 128 MB in total.
 */
export const INPUT_LIMITS = {
  attestation: 65_536, assertion: 4_096, receipt: 65_536, keyID: 32, keyRecord: 1_024, challenge: 65_536, clientDataHash: 65_536,
  clientData: 4 << 20, publicKey: 256, signature: 256, message: 16 << 20, appID: 1_024, option: 1_024,
  explained: 1 << 20,
};

/** App Attest's environments by the modules' numbers. */
export const ENVIRONMENTS = { production: 1, development: 2 };
export const ENVIRONMENT_NAMES = Object.fromEntries(Object.entries(ENVIRONMENTS).map(([name, number]) => [number, name]));

// A misread policy could accept wrong objects, so these functions never convert values, and throw for unknown names.

/** Returns the members of an object, or none for undefined; throws for unknown members. */
export function membersOf(object, option, names) {
  if (object === undefined) return {};
  if (typeof object !== "object" || object === null || Array.isArray(object)) throw new TypeError(`${option}: an object`);
  for (const name of Object.keys(object)) {
    if (!names.includes(name)) throw new TypeError(`${option}.${name}: one of ${names.join(", ")}`);
  }
  return object;
}

/** Returns the option `now` of a method that has no other options. */
export const nowIn = (options) => membersOf(options, "options", ["now"]).now;

/** Returns a nonempty list, or an empty one for undefined. */
export function listOf(values, option) {
  if (values === undefined) return [];
  if (!Array.isArray(values) || values.length === 0) throw new TypeError(`${option}: one or more`);
  return Array.from(values);
}

export const isWhole = (value, minimum, maximum) => Number.isSafeInteger(value) && value >= minimum && value <= maximum;

export function limitOf(value, option, maximum = 0x7fff_ffff) {
  if (!isWhole(value, 0, maximum)) throw new TypeError(`${option}: a whole number up to ${maximum}`);
  return value;
}

/** Returns a whole number from `minimum` on. */
export function wholeNumber(value, option, minimum, maximum) {
  if (limitOf(value, option, maximum) < minimum) throw new TypeError(`${option}: a whole number from ${minimum} to ${maximum}`);
  return value;
}

/** Returns the number of an option's name. */
export function numberOf(table, name, option) {
  if (!Object.hasOwn(table, name)) throw new TypeError(`${option}: one of ${Object.keys(table).join(", ")}`);
  return table[name];
}

export function utf8Of(text, limit = INPUT_LIMITS.option) {
  if (typeof text !== "string") throw new TypeError("a text");
  const encoded = new TextEncoder().encode(text);
  if (encoded.length > limit) throw new TypeError(`a text of at most ${limit} bytes`);
  return encoded;
}

/** Returns whether a value is a text without lone surrogates, which encoding would replace with the same character. */
export const isText = (value) => typeof value === "string" && !/\p{Surrogate}/u.test(value);

export function textOf(text, option) {
  if (!isText(text)) throw new TypeError(`${option}: a text without lone surrogates`);
  return new TextEncoder().encode(text);
}

/** Decodes UTF-8, and keeps a leading U+FEFF. */
export const textFrom = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

// Reads the type and length of a typed array with the prototype's getters, which an object cannot override (ECMA-262
// §23.2.3).
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
 * Copies a Uint8Array or ArrayBuffer once, after a check of the size. All other checks use the copy, because the original
 * may be shared with a thread that writes. The original may also be part of another buffer.
 */
export function copyOf(value, name, limit = INPUT_LIMITS[name]) {
  const array = arrayOf(value, name);
  const length = lengthOf.call(array);
  if (length > limit) throw new RefusedError(REASONS.indexOf("inputTooLarge"));
  const copy = new Uint8Array(length);
  typedArray.set.call(copy, array);
  return copy;
}

/** Copies at most `limit` + 1 bytes, so that the module rejects a value that is too large. */
export function copyUpTo(limit, value, name) {
  const array = arrayOf(value, name);
  const copy = new Uint8Array(Math.min(lengthOf.call(array), limit + 1));
  for (let index = 0; index < copy.length; index += 1) copy[index] = array[index];
  return copy;
}

/** Returns a copy of a key identifier, 32 bytes. */
export function keyIDOf(keyID) {
  const id = copyUpTo(INPUT_LIMITS.keyID, keyID, "keyID");
  if (id.length !== INPUT_LIMITS.keyID) throw new TypeError("keyID: 32 bytes");
  return id;
}

/**
 * The second after 9999-12-31T23:59:59Z, the last time that a certificate can contain (RFC 5280 §4.1.2.5). If the number
 * counted milliseconds, the time would be in 1978.
 */
const YEAR_10000 = 253_402_300_800;

/** Returns whole seconds since 1970, from seconds or a Date. Throws for milliseconds, which would make every certificate look expired. */
export function secondsOf(now, name = "now") {
  const value = now instanceof Date ? now.getTime() / 1000 : now;
  if (typeof value !== "number" || !(value >= 0)) throw new TypeError(`${name}: seconds since 1970, or a Date`);
  if (value >= YEAR_10000) throw new TypeError(`${name}: seconds since 1970, not milliseconds; up to the year 9999`);
  return BigInt(Math.floor(value));
}
