// Tests the accepted and rejected arguments of PureAttestWasm.wasm: node inputs.mjs MODULE VECTORS.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { BrokenInstanceError, PureAttest } from "../../JavaScript/Verifier/pure-attest.mjs";
import { MadeKey, launchExtensions, recordOf } from "./made.mjs";
import { Checks, base64, codeOf, compile, readJSON } from "./support.mjs";

const [modulePath, vectors] = process.argv.slice(2);
const module = compile(modulePath);
const checks = new Checks();
const check = (name, body) => checks.run(name, body);
const app = { teamID: "1234567890", bundleID: "com.example.myapp", environment: "production" };
const attest = await PureAttest.instantiate(module, app);
const genuine = readJSON(`${vectors}/app-attest/apple-guide-2026.json`);
const made = (() => {
  const key = new MadeKey({ ...app, appID: `${app.teamID}.${app.bundleID}` });
  return { key, record: (counter) => key.record(counter), input: { ...key.assertion(7), keyRecord: key.record(6) } };
})();

await check("numbers are not converted, and invalid ages and times are rejected", () => {
  const { key, record } = made;
  const receipt = new Uint8Array(8);
  const refusesTime = (now, expected) => {
    const name = String(now);
    assert.throws(() => attest.verifyAssertion({ ...made.input, now }), expected, name);
    assert.throws(() => attest.verifyReceipt({ receipt, keyRecord: record(0), now }), expected, name);
    assert.throws(
      () => attest.verifyAttestation({ attestation: receipt, keyID: new Uint8Array(32), challenge: receipt, now }), expected, name);
  };
  for (const now of [NaN, -1, "1789473600", null, true, 1n, {}, new Date(NaN), new Date(-1)]) refusesTime(now, TypeError);
  // The last moment of the year 9999 is a valid time. Greater numbers are probably milliseconds, and are rejected.
  const end = 253_402_300_800;
  for (const now of [end, end + 0.5, 1_789_473_600_000, Date.now(), 8.64e12, 2 ** 64, Infinity, new Date(end * 1_000)]) {
    refusesTime(now, { name: "TypeError", message: /^now: seconds since 1970, not milliseconds/ });
  }
  for (const now of [0, 0.5, end - 1, end - 0.5, new Date(0), new Date(end * 1_000 - 1)]) {
    assert.equal(codeOf(() => attest.verifyAssertion({ ...key.assertion(1), keyRecord: record(0), now })), "verified", String(now));
  }
  for (const maximumAge of [-1, -0.5, 1.5, NaN, 2 ** 31, 2 ** 32 + 5, "300", true, {}, 5n]) {
    assert.throws(() => attest.verifyReceipt({ receipt, keyRecord: record(0), maximumAge }), TypeError, String(maximumAge));
  }
  for (const verifyReceipt of ["false", 0, null]) {
    const input = { attestation: receipt, keyID: new Uint8Array(32), challenge: receipt, verifyReceipt };
    assert.throws(() => attest.verifyAttestation(input), TypeError);
  }
  assert.equal(codeOf(() => attest.verifyAssertion({ ...key.assertion(1), keyRecord: record(0), now: new Date() })), "verified");
});

await check("each input has a limit, and one more byte is rejected before anything is copied", () => {
  const size = attest.memorySize;
  const bytes = (count) => new Uint8Array(count);
  const calls = {
    keyID: (count) => attest.verifyAttestation({ attestation: bytes(9), keyID: bytes(count), challenge: bytes(9) }),
    challenge: (count) => attest.verifyAttestation({ attestation: bytes(9), keyID: bytes(32), challenge: bytes(count) }),
    clientDataHash: (count) => attest.verifyAttestation({ attestation: bytes(9), keyID: bytes(32), clientDataHash: bytes(count) }),
    clientData: (count) => attest.verifyAssertion({ ...made.input, clientData: bytes(count) }),
    keyRecord: (count) => attest.verifyAssertion({ ...made.input, keyRecord: bytes(count) }),
    message: (count) => attest.sha256(bytes(count)),
  };
  const limits = {
    keyID: 32, challenge: 65_536, clientDataHash: 65_536, clientData: 4 << 20, keyRecord: 1_024, message: 16 << 20,
  };
  for (const [name, call] of Object.entries(calls)) assert.equal(codeOf(() => call(limits[name] + 1)), "inputTooLarge", name);
  // A key or signature that is too long is malformed, so the verification fails. A message that is too long causes an
  // error.
  for (const verify of [attest.verifyP256, attest.verifyP384].map((method) => method.bind(attest))) {
    assert.equal(verify(bytes(100_000), bytes(9), bytes(9)), false);
    assert.equal(verify(bytes(97), bytes(100_000), bytes(9)), false);
    assert.throws(() => verify("text", bytes(9), bytes(9)), TypeError);
    assert.equal(codeOf(() => verify(bytes(9), bytes(9), bytes((16 << 20) + 1))), "inputTooLarge");
  }
  assert.equal(attest.memorySize, size);
  for (const [name, call] of Object.entries(calls)) {
    if (limits[name] <= 65_536) assert.notEqual(codeOf(() => call(limits[name])), "inputTooLarge", name);
  }
});

await check("inputs are copied once, and results share no memory with the caller's buffers", async () => {
  const file = genuine;
  const verifier = await PureAttest.instantiate(module, { appID: file.appID, environment: file.environment });
  const around = Buffer.concat([randomBytes(100), base64(file.attestation), randomBytes(100)]);
  const attestation = around.subarray(100, -100); // a Node Buffer, whose slice is no copy
  const keyID = Buffer.from(file.keyID, "base64");
  const input = { attestation, keyID, clientDataHash: base64(file.clientDataHash), now: file.verifyAt };
  const verified = verifier.verifyAttestation(input);
  const [receipt, id] = [verified.receipt, verified.keyID].map((bytes) => Buffer.from(bytes).toString("hex"));
  assert.equal(verified.receipt.constructor, Uint8Array);
  assert.equal(verified.receipt.buffer.byteLength, verified.receipt.length);
  around.fill(0);
  keyID.fill(0);
  assert.deepEqual([verified.receipt, verified.keyID].map((bytes) => Buffer.from(bytes).toString("hex")), [receipt, id]);

  // A thread could write to shared memory during the call, so the result must contain the bytes that were verified.
  const shared = new Uint8Array(new SharedArrayBuffer(attestation.length));
  shared.set(base64(file.attestation));
  const result = verifier.verifyAttestation({ ...input, keyID: base64(file.keyID), attestation: shared });
  assert.equal(result.receipt.buffer.constructor, ArrayBuffer);
  assert.equal(Buffer.from(result.receipt).toString("hex"), receipt);
});

await check("an object that lies about its length or type does not change the module's memory", () => {
  class Liar extends Uint8Array {
    get length() { return 8; }
    get byteLength() { return 8; }
    slice() { return this; }
  }
  const long = new Liar(4_000).fill(0x41);
  const digest = createHash("sha256").update(Buffer.alloc(4_000, 0x41)).digest("hex");
  assert.equal(Buffer.from(attest.sha256(long)).toString("hex"), digest);
  assert.equal(codeOf(() => attest.verifyAssertion({ ...made.input, assertion: new Liar(4_097) })), "inputTooLarge");
  const fakes = [
    Object.setPrototypeOf({ length: 4 }, Uint8Array.prototype), Object.create(Uint8Array.prototype), { length: 1, 0: 1 }, [1], "AA==",
    new Uint16Array(2), new DataView(new ArrayBuffer(4)), new SharedArrayBuffer(4), Object.create(ArrayBuffer.prototype), null, 5,
    new Proxy(new Uint8Array(4), {}),
  ];
  for (const fake of fakes) assert.throws(() => attest.sha256(fake), TypeError);
  assert.equal(codeOf(() => attest.verifyAssertion(made.input)), "verified");
});

await check("an instance that trapped is broken and rejects further calls; a rejection or wrong argument does not break it", async () => {
  const { exports } = await WebAssembly.instantiate(module, {});
  const trap = { ...exports, pure_attest_sha256: () => { throw new WebAssembly.RuntimeError("unreachable"); } };
  const instance = new PureAttest({ exports: trap }, app);
  assert.equal(codeOf(() => instance.verifyAssertion({ ...made.input, challenge: new Uint8Array(1) })), "challengeMismatch");
  assert.throws(() => instance.sha256("text"), TypeError);
  assert.equal(instance.isBroken, false);
  assert.throws(() => instance.sha256(new Uint8Array(1)), WebAssembly.RuntimeError);
  assert.equal(instance.isBroken, true);
  assert.throws(() => instance.verifyAssertion(made.input), BrokenInstanceError);
  // Exhausts the stack at different points of the call.
  const deep = await PureAttest.instantiate(module, app);
  const dive = () => {
    try {
      dive();
    } catch {
      if (!deep.isBroken) try { deep.verifyAssertion(made.input); } catch { /* Each frame on the way up tries with more room. */ }
    }
  };
  dive();
  if (deep.isBroken) assert.throws(() => deep.verifyAssertion(made.input), BrokenInstanceError);
  else assert.equal(codeOf(() => deep.verifyAssertion(made.input)), "verified");
});

await check("a bundle version is returned unchanged, with marks and combining characters", async () => {
  const verifier = await PureAttest.instantiate(module, { ...app, launchPolicy: undefined });
  for (const version of ["\ufeff1.0", "\u06001.0", "1.\u03010", "1.0\u200d"]) {
    const signed = made.key.assertion(8, { extensions: launchExtensions({ version }) });
    assert.equal(verifier.verifyAssertion({ ...signed, keyRecord: made.key.record(6) }).bundleVersion, version);
  }
});

await check("a null verifier, unknown option or null result is rejected, and nothing is written at address 0", () => {
  const { exports } = new WebAssembly.Instance(module, {});
  const head = () => Buffer.from(new Uint8Array(exports.memory.buffer).slice(0, 64)).toString("hex");
  const before = head();
  const [block, result] = [exports.pure_attest_allocate(64), exports.pure_attest_allocate(1_560)];
  const three = [block, 8, block, 8, block, 8];
  for (const [name, ...values] of [
    ["verifier_add_app", block, 8, 0], ["verifier_set_counter_policy", 1], ["verifier_set_clock_skew", 5], ["verifier_select_app", -1],
    ["verifier_accept_category", 4], ["verifier_accept_version", block, 1], ["verifier_require_version", block, 1],
    ["verifier_accept_build", block, 32], ["verifier_accept_truncated_builds", 1], ["verifier_accept_missing", 0],
    ["verifier_believe_forgeable", 1], ["verifier_require_system", 0, 27, 0, 0], ["verifier_accept_system_build", block, 1],
    ["verifier_accept_prereleases", 1], ["verifier_accept_unknown_systems", 1], ["verifier_limit_attestation_age", 5],
    ["verifier_limit_key_age", 5], ["verifier_limit_counter_step", 5], ["verify_attestation", ...three, 0, 5n, result],
    ["verify_assertion", ...three, block, 8, 5n, result], ["verify_receipt", block, 8, block, 8, 5n, 300, result],
  ]) {
    assert.equal(exports[`pure_attest_${name}`](0, ...values), 254, name);
  }
  exports.pure_attest_verifier_destroy(0);
  const handle = exports.pure_attest_verifier_create(1);
  for (const options of [4, 7, 8, 256, -1, -2147483648]) {
    assert.equal(exports.pure_attest_verify_attestation(handle, ...three, options, 5n, result), 254, String(options));
  }
  assert.notEqual(exports.pure_attest_verify_attestation(handle, ...three, 3, 5n, result), 254);
  assert.equal(exports.pure_attest_verify_attestation(handle, ...three, 0, 5n, 0), 254);
  assert.equal(head(), before);
});

await check("at 4 GiB an allocation fails, and the instance stays usable", () => {
  const { exports } = new WebAssembly.Instance(module, {});
  const message = exports.pure_attest_allocate(64);
  const hash = () => exports.pure_attest_sha256(message, 8, message + 16);
  assert.equal(hash(), 0);
  exports.memory.grow(65_536 - 64 - exports.memory.buffer.byteLength / 65_536);
  const blocks = [];
  for (let block; (block = exports.pure_attest_allocate(1 << 20) >>> 0) !== 0; blocks.push(block)) assert.ok(blocks.length < 64);
  assert.ok(blocks.length > 0);
  assert.ok(blocks.every((block) => block + (1 << 20) <= exports.memory.buffer.byteLength));
  blocks.forEach((block) => exports.pure_attest_deallocate(block));
  assert.equal(exports.pure_attest_allocate(1 << 20) >>> 0, blocks.at(-1));
  assert.equal(hash(), 0);
});

// MARK: Keys stored by others

await check("X9.63, raw coordinates, SubjectPublicKeyInfo, PEM and JWK of a stored key import to one record", async () => {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const named = { appID: `${app.teamID}.${app.bundleID}`, environment: app.environment };
  const spki = pair.publicKey.export({ type: "spki", format: "der" });
  const pem = pair.publicKey.export({ type: "spki", format: "pem" });
  const jwk = pair.publicKey.export({ format: "jwk" });
  const x963 = spki.subarray(-65);
  for (const counter of [0, 1, 62, 63, 64, 4_294_967_295]) {
    // recordOf supports counters up to 63. For a higher counter, the whole window is marked as used.
    const record = recordOf(x963, named, Math.min(counter, 63));
    record.writeUInt32BE(counter, 99);
    if (counter >= 63) record.fill(0xff, 103);
    for (const publicKey of [x963, x963.subarray(1), spki, new Uint8Array(spki).buffer, pem, pem.replaceAll("\n", "\r\n"), jwk, { ...jwk, kid: "1" }]) {
      const imported = attest.importKey({ publicKey, counter });
      assert.deepEqual(Buffer.from(imported.keyRecord), record);
      assert.deepEqual(Buffer.from(imported.publicKey), x963);
    }
  }
  const key = new MadeKey(named);
  const { keyRecord } = attest.importKey({ publicKey: key.publicKey, counter: 6 });
  assert.equal(codeOf(() => attest.verifyAssertion({ ...key.assertion(7), keyRecord })), "verified");
  assert.equal(codeOf(() => attest.verifyAssertion({ ...key.assertion(6), keyRecord })), "counterNotIncreased");
  assert.deepEqual(attest.importKey({ publicKey: key.publicKey, appID: named.appID, counter: 6 }).keyRecord, keyRecord);

  const offCurve = Buffer.from(x963);
  offCurve[64] ^= 1;
  const compressed = Buffer.concat([Buffer.of(2), x963.subarray(1, 33)]);
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey;
  for (const publicKey of [
    offCurve, offCurve.subarray(1), compressed, new Uint8Array(), new Uint8Array(65), spki.subarray(1), Buffer.concat([spki, Buffer.of(0)]),
    p384.export({ type: "spki", format: "der" }), p384.export({ type: "spki", format: "pem" }),
  ]) {
    assert.equal(codeOf(() => attest.importKey({ publicKey, counter: 1 })), "invalidPublicKey");
  }
  const privateJWK = pair.privateKey.export({ format: "jwk" });
  for (const publicKey of [
    "", "text", pair.privateKey.export({ type: "pkcs8", format: "pem" }), pem + pem, pem.replace("PUBLIC", "RSA PUBLIC"), privateJWK,
    p384.export({ format: "jwk" }), { ...jwk, x: jwk.x.slice(1) }, { ...jwk, y: `${jwk.y}=` }, { ...jwk, kty: "OKP" }, { ...jwk, x: 5 },
    null, undefined, 5, [1],
  ]) {
    assert.throws(() => attest.importKey({ publicKey, counter: 1 }), TypeError);
  }
  for (const counter of [undefined, null, -1, 1.5, 2 ** 32, "1", 1n]) {
    assert.throws(() => attest.importKey({ publicKey: x963, counter }), TypeError);
  }
  assert.throws(() => attest.importKey({ publicKey: x963, appID: "1234567890.other", counter: 1 }), TypeError);
});

console.log(`${checks.count} input checks passed`);
