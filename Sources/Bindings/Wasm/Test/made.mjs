/** Creates keys without attestations, their records as AttestedKey.serialized writes them, and their assertions. */

import { createHash, generateKeyPairSync, sign } from "node:crypto";

const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();

export function publicKeyOf({ publicKey }) {
  return publicKey.export({ type: "spki", format: "der" }).subarray(-65);
}

/** Returns a key record. If there are `fields` ([number, value] each), the record has version 2. */
export function recordOf(publicKey, { appID, environment }, counter, fields = []) {
  const tail = Buffer.alloc(12);
  tail.writeUInt32BE(counter, 0);
  tail.writeBigUInt64BE((2n << BigInt(counter)) - 1n, 4);
  const head = Buffer.of(fields.length === 0 ? 1 : 2, environment === "production" ? 1 : 2);
  const values = fields.map(([number, value]) => Buffer.concat([Buffer.of(number, value.length), value]));
  return Buffer.concat([head, hash(Buffer.from(appID)), publicKey, tail, ...values]);
}

/** Returns a record's fields: the system that Apple certified, and the attestation time. */
export function fieldsOf({ attestedAt, platform = "iphoneos", version = [27, 1, 0], build = "24B91", releaseType }) {
  const bigEndian = Buffer.alloc(14);
  bigEndian.writeBigInt64BE(BigInt(attestedAt ?? 0));
  version.forEach((number, index) => bigEndian.writeUInt16BE(number, 8 + 2 * index));
  return [
    [1, attestedAt === undefined ? undefined : bigEndian.subarray(0, 8)], [2, Buffer.from(platform)],
    [3, bigEndian.subarray(8)], [4, Buffer.from(build)], [5, releaseType && Buffer.from(releaseType)],
  ].filter(([, value]) => value !== undefined);
}

/** Returns a record's field of multiples: x ‖ y of 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, by the textbook formula for 2·Q. */
export function multiplesOf(publicKey) {
  const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
  const mod = (a) => ((a % p) + p) % p;
  const inverse = (a) => {
    let [r0, r1, t0, t1] = [p, mod(a), 0n, 1n];
    while (r1 !== 0n) [r0, r1, t0, t1] = [r1, r0 % r1, t1, t0 - (r0 / r1) * t1];
    return mod(t0);
  };
  const number = (bytes) => BigInt(`0x${bytes.toString("hex")}`);
  let [x, y] = [number(publicKey.subarray(1, 33)), number(publicKey.subarray(33, 65))];
  const coordinates = [];
  for (let doublings = 1; doublings <= 192; doublings += 1) {
    const slope = mod((3n * x * x - 3n) * inverse(2n * y));
    const next = mod(slope * slope - 2n * x);
    [x, y] = [next, mod(slope * (x - next) - y)];
    if (doublings % 64 === 0) coordinates.push(x, y);
  }
  return [6, Buffer.from(coordinates.map((c) => c.toString(16).padStart(64, "0")).join(""), "hex")];
}

/** A key pair, which by default signs the text "challenge". */
export class MadeKey {
  #pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #app;

  constructor(app) {
    this.#app = app;
  }

  get publicKey() {
    return publicKeyOf(this.#pair);
  }

  record(counter, fields) {
    return recordOf(this.publicKey, this.#app, counter, fields);
  }

  /** Returns the arguments of verifyAssertion without the record. `extensions` are pairs of a name and CBOR (flag ED). */
  assertion(counter, { clientData = Buffer.from("challenge"), extensions, flags = extensions ? 0xc0 : 0x40, unsigned } = {}) {
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(counter, 1);
    const map = extensions ? [cborMap(extensions)] : [];
    const data = Buffer.concat([hash(Buffer.from(this.#app.appID)), head, ...map]);
    const signature = sign("sha256", hash(data, hash(clientData)), this.#pair.privateKey);
    const members = [["signature", cborBytes(signature)], ["authenticatorData", cborBytes(data)]];
    if (unsigned) members.push(["cdHash", cborMap([["hash", cborBytes(unsigned)], ["type", cborBytes(Buffer.of(2))]])]);
    return { assertion: cborMap(members), clientData, challenge: clientData };
  }
}

/** Returns the extensions of an App Store app by default; with `hash`, also the extensions of its build. */
export function launchExtensions({ category = 4, version = "1.0", hash, type = 2 }) {
  const pairs = [
    ["apple_validation_category_01", cborBytes(Buffer.of(category, 0, 0, 0))], ["apple_bundle_version_01", cborText(version)],
  ];
  if (!hash) return pairs;
  return [...pairs, ["apple_cd_hash_hash_01", cborBytes(hash)], ["apple_cd_hash_type_01", cborBytes(Buffer.of(type))]];
}

function cborHead(major, count) {
  return count < 24 ? Buffer.of(major + count) : count < 256 ? Buffer.of(major + 24, count) : Buffer.of(major + 25, count >> 8, count & 255);
}

const cborText = (text) => Buffer.concat([cborHead(0x60, Buffer.byteLength(text)), Buffer.from(text)]);
const cborBytes = (bytes) => Buffer.concat([cborHead(0x40, bytes.length), bytes]);
const cborMap = (pairs) =>
  Buffer.concat([cborHead(0xa0, pairs.length), ...pairs.flatMap(([name, value]) => [cborText(name), value])]);
