// Tests PureAttestWasm.wasm: node module.mjs MODULE VECTORS [EXTRA_VECTORS]. A failed check throws. The last line of
// output states the number of checks.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { readdirSync } from "node:fs";
import { PureAttest, RefusedError } from "../../JavaScript/Verifier/pure-attest.mjs";
import { MadeKey, multiplesOf, publicKeyOf, recordOf } from "./made.mjs";
import { Checks, base64, codeOf, compile, extra, random, readJSON } from "./support.mjs";

const [modulePath, vectors, extraVectors] = process.argv.slice(2);
const module = compile(modulePath);
const checks = new Checks();
const check = (name, body) => checks.run(name, body);
const app = { teamID: "1234567890", bundleID: "com.example.myapp", environment: "production" };
const attest = await PureAttest.instantiate(module, app);

await check("the module imports nothing", () => assert.deepEqual(WebAssembly.Module.imports(module), []));

// MARK: Primitives

for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 100_000]) {
  await check(`SHA-256 of ${length} bytes equals Node's`, () => {
    const message = randomBytes(length);
    assert.deepEqual(Buffer.from(attest.sha256(message)), createHash("sha256").update(message).digest());
  });
}

const curves = [
  { name: "P-256", hash: "sha256", keySize: 65, verify: attest.verifyP256.bind(attest) },
  { name: "P-384", hash: "sha384", keySize: 97, verify: attest.verifyP384.bind(attest) },
];
for (const { name, hash, keySize, verify } of curves) {
  await check(`Node's ${name} signatures verify, and changed ones do not`, () => {
    for (let round = 0; round < 8; round += 1) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: name });
      const key = publicKey.export({ type: "spki", format: "der" }).subarray(-keySize);
      const message = randomBytes(round * 7);
      const signature = sign(hash, message, privateKey);
      assert(verify(key, signature, message));
      assert(!verify(key, signature, Buffer.concat([message, Buffer.of(0)])));
      assert(!verify(key, signature.subarray(1), message));
      assert(!verify(key.subarray(1), signature, message));
    }
  });
}

// Wycheproof's two suites have 484 and 504 cases, each with one correct result.
const suites = [["secp256r1_sha256", curves[0], 484], ["secp384r1_sha384", curves[1], 504]];
let wycheproof = 0;
for (const [name, { verify }, count] of suites) {
  const path = extra(extraVectors, `vectors/ecdsa/ecdsa_${name}_test.json`);
  if (!path) {
    console.log(`Not run: Wycheproof ${name}; set PUREATTEST_EXTRA_VECTORS to run it.`);
    continue;
  }
  await check(`Wycheproof ${name}`, () => {
    let ran = 0;
    for (const group of readJSON(path).testGroups) {
      const key = Buffer.from(group.publicKey.uncompressed, "hex");
      for (const test of group.tests) {
        const isValid = verify(key, Buffer.from(test.sig, "hex"), Buffer.from(test.msg, "hex"));
        assert.equal(isValid, test.result === "valid", `case ${test.tcId}: ${test.comment}`);
        ran += 1;
      }
    }
    assert.equal(ran, count);
    wycheproof += ran;
  });
}

// MARK: Genuine objects

const files = [`${vectors}/app-attest/apple-guide-2026.json`];
const folder = extra(extraVectors, "app-attest");
if (folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "apple-guide-2026.json");
  files.push(...names.map((name) => `${folder}/${name}`));
} else {
  console.log("Not run: all genuine objects but one; set PUREATTEST_EXTRA_VECTORS to run them.");
}
const genuine = { attestations: 0, assertions: 0, receipts: 0 };
const otherOf = { production: "development", development: "production" };

for (const path of files) {
  const file = readJSON(path);
  // Accepts the app on both platforms; the certificate says which platform applies.
  const verifierWith = ({ appID = file.appID, ...options }) =>
    PureAttest.instantiate(module, { apps: [{ appID }, { appID, platform: "macOS" }], ...options });
  const verifier = await verifierWith({ environment: file.environment });
  const input = {
    attestation: base64(file.attestation),
    keyID: base64(file.keyID),
    clientDataHash: base64(file.clientDataHash),
    now: file.verifyAt,
  };
  const refuses = (code, changes, by = verifier) =>
    assert.equal(codeOf(() => by.verifyAttestation({ ...input, ...changes })), code);

  await check(`${file.name}: the attestation verifies, and changed inputs are rejected`, async () => {
    const verified = verifier.verifyAttestation(input);
    const expected = file.expect;
    assert.equal(Buffer.from(verified.publicKey).toString("base64"), expected.publicKeyX963);
    assert.deepEqual(Buffer.from(verified.keyID), createHash("sha256").update(verified.publicKey).digest());
    assert.equal(verified.appID, file.appID);
    assert.equal(verified.environment, file.environment);
    assert.equal(verified.counter, 0);
    // In Apple's sample, the ED flag is clear, so its launch information is unverified.
    const sent = verified.unverifiedLaunchInformation ?? verified;
    assert.equal(sent.validationCategory, expected.validationCategory ?? null);
    assert.equal(sent.bundleVersion, expected.bundleVersion ?? null);
    assert.equal(verified.unverifiedLaunchInformation !== null, file.name === "apple-guide-2026");
    assert.equal(verified.osVersion, expected.osVersion ?? null);
    assert.equal(verified.platform, file.name.startsWith("apple-guide") ? "iphoneos" : null);
    if (file.challenge) {
      const { clientDataHash, ...rest } = input;
      assert.deepEqual(verifier.verifyAttestation({ ...rest, challenge: base64(file.challenge) }), verified);
    }
    const flipped = input.attestation.slice();
    flipped[flipped.length - 1] ^= 1;
    refuses("nonceMismatch", { clientDataHash: base64("AAAA") });
    refuses("emptyClientDataHash", { clientDataHash: new Uint8Array() });
    refuses("keyIDMismatch", { keyID: new Uint8Array(32) });
    refuses("certificate/expired", { now: expected.leafNotAfter + 1 });
    refuses("certificate/notYetValid", { now: new Date((expected.leafNotBefore - 1) * 1000) });
    refuses("malformedCBOR", { attestation: input.attestation.subarray(1) });
    refuses("inputTooLarge", { attestation: new Uint8Array(65_537) });
    refuses("appIDMismatch", {}, await verifierWith({ appID: `${file.appID}x`, environment: file.environment }));
    refuses("environmentMismatch", {}, await verifierWith({ environment: otherOf[file.environment] }));
    assert.throws(() => verifier.verifyAttestation({ ...input, attestation: flipped }), RefusedError);

    // Tests launch policies. Only devices with iOS 27 or later report launch information.
    const { validationCategory: category, bundleVersion: version } = verified;
    const { validationCategory: forgeable } = sent;
    const policies = [
      [{ acceptsMissing: false, believesForgeable: true }, forgeable === null ? "validationCategoryNotAllowed" : "verified"],
      [{ acceptsMissing: false }, category === null ? "validationCategoryNotAllowed" : "verified"],
      [{ categories: ["platform", 4] }, category === null || category === 1 ? "verified" : "validationCategoryNotAllowed"],
      [{ categories: ["testFlight"] }, category === null ? "verified" : "validationCategoryNotAllowed"],
      [{ versions: { oneOf: ["none", "of these"] } }, version === null ? "verified" : "bundleVersionNotAllowed"],
      [{ versions: { oneOf: ["none", version ?? ""] } }, "verified"],
      [{ versions: { atLeast: "0" } }, "verified"],
      [{ versions: { atLeast: "99999" } }, version === null ? "verified" : "bundleVersionNotAllowed"],
    ];
    for (const [launchPolicy, code] of policies) {
      refuses(code, {}, await verifierWith({ environment: file.environment, launchPolicy }));
    }
    genuine.attestations += 1;
  });

  for (const [index, item] of (file.receipts ?? []).entries()) {
    await check(`${file.name}: receipt ${index + 1} verifies only for its key and in time`, async () => {
      const { keyRecord, receipt: own } = verifier.verifyAttestation(input);
      const receipt = item.receipt ? base64(item.receipt) : own;
      const verify = (changes, by = verifier) => by.verifyReceipt(
        { receipt, keyRecord, now: item.verifyAt, maximumAge: null, ...changes });
      if (item.verifies === false) {
        assert.notEqual(codeOf(() => verify({})), "verified");
        return;
      }
      const verified = verify({});
      assert.equal(verified.kind, item.fields.type === "ATTEST" ? "attestation" : "answer");
      assert(verified.creationTime <= verified.expirationTime);
      assert.equal(codeOf(() => verify({ now: verified.creationTime + 301, maximumAge: 300 })), "receiptTooOld");
      assert.equal(codeOf(() => verify({ receipt: receipt.subarray(1) }).code), "receiptSignature/malformed");
      const stranger = await verifierWith({ appID: `${file.appID}x`, environment: file.environment });
      assert.equal(codeOf(() => verify({}, stranger)), "keyOfUnknownApp");
      const otherKey = recordOf(publicKeyOf(generateKeyPairSync("ec", { namedCurve: "P-256" })), file, 0);
      assert.equal(codeOf(() => verify({ keyRecord: otherKey })), "receiptOfOtherKey");
      if (!item.receipt) {
        const both = { ...input, verifyReceipt: true };
        assert.equal(codeOf(() => verifier.verifyAttestation({ ...both, now: verified.creationTime })), "verified");
        assert.equal(
          codeOf(() => verifier.verifyAttestation({ ...both, now: verified.creationTime + 301 })), "receiptTooOld");
      }
      genuine.receipts += 1;
    });
  }

  for (const [index, item] of file.assertions.entries()) {
    await check(`${file.name}: assertion ${index + 1} verifies once and only for its challenge`, () => {
      const { keyRecord } = verifier.verifyAttestation(input);
      const clientData = base64(item.clientData);
      const object = { assertion: base64(item.assertion), clientData, challenge: null, keyRecord };
      const refuses = (code, changes) =>
        assert.equal(codeOf(() => verifier.verifyAssertion({ ...object, ...changes })), code);
      const advanced = verifier.verifyAssertion(object);
      assert.equal(advanced.counter, item.counter);
      assert.equal(new DataView(advanced.keyRecord.buffer).getUint32(99), item.counter);
      assert.deepEqual(verifier.verifyAssertion({ ...object, challenge: clientData }), advanced);
      refuses("challengeMismatch", { challenge: base64("AAAA") });
      refuses("emptyChallenge", { challenge: new Uint8Array() });
      refuses("counterNotIncreased", { keyRecord: advanced.keyRecord });
      refuses("invalidSignature", { clientData: base64("AAAA") });
      refuses("malformedKeyRecord", { keyRecord: new Uint8Array([1, 2, 3]) });
      refuses("inputTooLarge", { assertion: new Uint8Array(4_097) });
      genuine.assertions += 1;
    });
  }
}
if (folder) assert.deepEqual(genuine, { attestations: 8, assertions: 3, receipts: 14 });

// MARK: Assertions of keys made here

const made = (() => {
  const named = { ...app, appID: `${app.teamID}.${app.bundleID}` };
  const key = new MadeKey(named);
  return { key, record: (counter) => key.record(counter), input: { ...key.assertion(7), keyRecord: key.record(6) } };
})();

await check("an assertion of a key made here verifies, and a change of any byte is rejected", () => {
  const { assertion } = made.input;
  assert.deepEqual(Buffer.from(attest.verifyAssertion(made.input).keyRecord), made.record(7));
  for (let index = 0; index < assertion.length; index += 1) {
    const changed = Buffer.from(assertion);
    changed[index] ^= 1;
    for (const other of [changed, assertion.subarray(0, index)]) {
      assert.throws(() => attest.verifyAssertion({ ...made.input, assertion: other }), RefusedError);
    }
  }
});

await check("a record with the key's multiples is read and written, and each point must be on the curve", () => {
  const { key, input } = made;
  const field = multiplesOf(key.publicKey);
  const verify = (keyRecord) => attest.verifyAssertion({ ...input, keyRecord });
  assert.deepEqual(Buffer.from(verify(key.record(6, [field])).keyRecord), key.record(7, [field]));
  for (let index = 0; index < 192; index += 1) {
    const damaged = Buffer.from(field[1]);
    damaged[index] ^= 1;
    assert.throws(() => verify(key.record(6, [[6, damaged]])), { code: "malformedKeyRecord" }, `byte ${index}`);
  }
  for (const count of [0, 64, 191]) {
    assert.throws(() => verify(key.record(6, [[6, field[1].subarray(0, count)]])), { code: "malformedKeyRecord" });
  }
});

// MARK: Garbage, and memory

await check("wrong pointers and lengths are rejected", () => {
  const { exports } = new WebAssembly.Instance(module, {});
  const digest = exports.pure_attest_allocate(32);
  const end = exports.memory.buffer.byteLength;
  for (const [start, count] of [[0, 1], [end - 1, 2], [-1, 1], [-1, 2], [8, -1], [8, -2147483648], [16, 2147483647], [end, 1]]) {
    assert.notEqual(exports.pure_attest_sha256(start, count, digest), 0, `${start} ${count}`);
    assert.equal(exports.pure_attest_verify_p256(start, count, start, count, start, count), 0);
  }
  for (const start of [0, end - 31, end - 1, end, -1]) assert.notEqual(exports.pure_attest_sha256(digest, 1, start), 0);
  assert.equal(exports.pure_attest_sha256(digest, 1, end - 32), 0);
  assert.equal(exports.pure_attest_verifier_create(0), 0);
  assert.equal(exports.pure_attest_verifier_create(257), 0);
  assert.equal(exports.pure_attest_allocate(-1), 0);
  assert.equal(exports.pure_attest_allocate(2147483647), 0);
});

await check("garbage never traps in 100,000 calls, and memory stops growing", async () => {
  const file = readJSON(files[0]);
  const verifier = await PureAttest.instantiate(module, { appID: file.appID, environment: file.environment });
  const attestation = base64(file.attestation);
  const input = { keyID: base64(file.keyID), clientDataHash: base64(file.clientDataHash), now: file.verifyAt };
  const { keyRecord, receipt } = verifier.verifyAttestation({ ...input, attestation });
  const below = random(1);
  /** Returns the bytes with up to three of them changed, sometimes truncated or extended; or random bytes. */
  const mutate = (original) => {
    const bytes = Uint8Array.from(original); // the slice of a Node Buffer is no copy
    if (below(8) === 0) return Uint8Array.from({ length: below(300) }, () => below(256));
    const changed = below(4) === 0 ? bytes.slice(0, below(bytes.length + 1)) : bytes.slice();
    for (let count = below(3) + 1; count > 0 && changed.length > 0; count -= 1) {
      changed[below(changed.length)] = below(2) ? below(256) : [0, 0x7f, 0x80, 0xff][below(4)];
    }
    return below(8) === 0 ? new Uint8Array([...changed, below(256)]) : changed;
  };
  const signature = new Uint8Array(71).fill(7);
  const kinds = [
    () => verifier.verifyAttestation({ ...input, attestation: mutate(attestation) }),
    () => verifier.verifyReceipt({ receipt: mutate(receipt), keyRecord, now: file.verifyAt, maximumAge: null }),
    () => attest.verifyAssertion({ ...made.input, assertion: mutate(made.input.assertion) }),
    () => attest.verifyAssertion({ ...made.input, keyRecord: mutate(made.input.keyRecord) }),
    () => attest.verifyP256(mutate(keyRecord.slice(34, 99)), mutate(signature), mutate(signature)),
    () => attest.sha256(mutate(attestation)),
  ];
  // Only one call in fifty verifies an attestation or receipt: calls that check signatures take a hundred times as long.
  const round = (count) => {
    for (let index = 0; index < count; index += 1) codeOf(kinds[index % 50 === 0 ? below(2) : 2 + below(4)]);
  };
  round(20_000);
  const before = [verifier.memorySize, attest.memorySize];
  round(80_000);
  assert.deepEqual([verifier.memorySize, attest.memorySize], before);
  console.log(`Memory after 100,000 calls: ${before.map((size) => `${size / 1024} KiB`).join(" and ")}`);
  assert.equal(codeOf(() => verifier.verifyAttestation({ ...input, attestation })), "verified");
});

await check("memory stops growing with messages of all sizes", () => {
  const message = randomBytes(4_096);
  for (let size = 0; size <= 4_096; size += 1) attest.sha256(message.subarray(0, size));
  const before = attest.memorySize;
  for (let size = 0; size <= 4_096; size += 1) attest.sha256(message.subarray(0, size));
  assert.equal(attest.memorySize, before);
});

await check("empty, unknown and malformed options are rejected", async () => {
  for (const changes of [
    { apps: [] }, { apps: [{ ...app, teamId: "x" }] }, { launchpolicy: {} }, { clockskew: 5 }, { clockSkew: 2 ** 32 + 5 },
    { clockSkew: "5" }, { bundleID: "x".repeat(1_025) },
    { environment: "sandbox" }, { teamID: undefined },
    // Non-string values must be rejected. Converted to strings, they could name a different app.
    { teamID: 1234567890 }, { bundleID: 5 }, { bundleID: ["com.example.myapp"] }, { teamID: { toString: () => "1234567890" } },
    { appID: 5 }, { appID: null }, { apps: [{ teamID: 1234567890, bundleID: "com.example.myapp" }] }, { platform: "iOS" }, { counterPolicy: "loose" }, { clockSkew: -1 },
    { launchPolicy: { categories: [] } }, { launchPolicy: { categories: ["appstore"] } }, { launchPolicy: { versions: { oneOf: [] } } },
  ]) {
    await assert.rejects(PureAttest.instantiate(module, { ...app, ...changes }), TypeError, JSON.stringify(changes));
  }
  await assert.rejects(PureAttest.instantiate(new Uint8Array(8), app), TypeError);
  assert.throws(() => attest.sha256("text"), TypeError);
  const { challenge, ...unbound } = made.input;
  assert.throws(() => attest.verifyAssertion(unbound), TypeError);
});

console.log(
  `${checks.count} checks passed: ${wycheproof} Wycheproof cases, ${genuine.attestations} genuine attestations, `
    + `${genuine.assertions} assertions, ${genuine.receipts} receipts, 100,000 calls with garbage`);
