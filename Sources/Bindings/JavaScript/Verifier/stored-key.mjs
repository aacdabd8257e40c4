/** Public keys in the formats of other libraries, and key records for them. */

/** The SubjectPublicKeyInfo of a P-256 key up to its point, in its only DER encoding (RFC 5480 §2). */
const SPKI_HEAD = [
  0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
  0x03, 0x42, 0x00,
];

/** Returns a key's point, 04 ‖ x ‖ y, from any known form; anything else unchanged, for the caller to reject. */
export function storedKey(key) {
  if (typeof key === "string") return point(fromPEM(key));
  const isWebKey = typeof key === "object" && key !== null && "kty" in key;
  return isWebKey ? fromWebKey(key) : point(key);
}

function point(key) {
  const array = key instanceof ArrayBuffer ? new Uint8Array(key) : key;
  if (!(array instanceof Uint8Array)) return key;
  if (array.length === 64) return Uint8Array.of(4, ...array);
  const isSPKI = array.length === SPKI_HEAD.length + 65 && SPKI_HEAD.every((byte, index) => array[index] === byte);
  return isSPKI ? array.slice(SPKI_HEAD.length) : array;
}

/**
 * Writes a key record without optional fields, as AttestedKey.serialized does (AttestedKey+Serialization.swift). Marks
 * all counter values up to `counter` as used.
 */
export function keyRecordOf(publicKey, rpIDHash, environment, counter) {
  const record = new Uint8Array(111);
  record.set([1, environment, ...rpIDHash, ...publicKey]);
  const view = new DataView(record.buffer);
  view.setUint32(99, counter);
  view.setBigUint64(103, BigInt.asUintN(64, (2n << BigInt(Math.min(counter, 63))) - 1n));
  return record;
}

/** Returns the SubjectPublicKeyInfo between the two lines (RFC 7468 §13). */
function fromPEM(text) {
  const lines = /^\s*-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]{1,512})-----END PUBLIC KEY-----\s*$/.exec(text)?.[1];
  try {
    if (lines !== undefined) return fromBase64(lines.replace(/\s+/g, ""));
  } catch {
    // Invalid Base64 falls through to the error below.
  }
  throw new TypeError('publicKey: a PEM "PUBLIC KEY"');
}

/** RFC 7518 §6.2.1: both coordinates have 32 bytes. A private key does not belong on a verifying server. */
function fromWebKey({ kty, crv, x, y, d }) {
  const isWhole = (coordinate) => typeof coordinate === "string" && /^[\w-]{43}$/.test(coordinate);
  if (kty !== "EC" || crv !== "P-256" || !isWhole(x) || !isWhole(y) || d !== undefined) {
    throw new TypeError('publicKey: a JWK of "EC" and "P-256" with x and y, and without d');
  }
  const standard = (text) => text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.of(4, ...fromBase64(standard(x)), ...fromBase64(standard(y)));
}

function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
