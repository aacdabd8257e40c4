// Runs PureAttestWasm.wasm: node test.mjs MODULE VECTORS [EXTRA_VECTORS]. Any failed check throws; the last line counts
// what ran.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { PureAttest, RefusedError } from "./pure-attest.mjs";

const [modulePath, vectors, extraVectors] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(modulePath));
let passed = 0;
const check = (name, body) => {
  try {
    body();
  } catch (error) {
    error.message = `${name}: ${error.message}`;
    throw error;
  }
  passed += 1;
};

check("the module imports nothing", () => assert.deepEqual(WebAssembly.Module.imports(module), []));
const attest = new PureAttest(module, { appID: "", environment: "production" });

for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 100_000]) {
  check(`SHA-256 of ${length} bytes is Node's`, () => {
    const message = randomBytes(length);
    assert.deepEqual(Buffer.from(attest.sha256(message)), createHash("sha256").update(message).digest());
  });
}

for (const [namedCurve, hash, keySize, verify] of [
  ["P-256", "sha256", 65, attest.verifyP256.bind(attest)],
  ["P-384", "sha384", 97, attest.verifyP384.bind(attest)],
]) {
  check(`${namedCurve} signatures of Node verify, and no others`, () => {
    for (let round = 0; round < 8; round += 1) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve });
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

const objectFiles = [`${vectors}/app-attest/apple-guide-2026.json`];
const extraFolder = extraVectors ? `${extraVectors}/app-attest` : "";
if (existsSync(extraFolder)) {
  const names = readdirSync(extraFolder).filter((name) => name.endsWith(".json") && name !== "apple-guide-2026.json");
  objectFiles.push(...names.map((name) => `${extraFolder}/${name}`));
} else {
  console.log("No extra vectors: one genuine attestation runs, and no genuine assertion.");
}
let attestations = 0;
let assertions = 0;
const refused = (code, body) => {
  assert.throws(body, (error) => error.code === code || assert.fail(`${error} instead of ${code}`));
};

for (const path of objectFiles) {
  const file = JSON.parse(readFileSync(path, "utf8"));
  const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
  const verifier = new PureAttest(module, file);
  const input = {
    attestation: bytes(file.attestation),
    keyID: bytes(file.keyID),
    clientDataHash: bytes(file.clientDataHash),
    now: file.verifyAt,
  };
  check(`${file.name}: the attestation verifies, and nothing else does`, () => {
    const record = verifier.verifyAttestation(input);
    assert.equal(Buffer.from(record.subarray(34, 99)).toString("base64"), file.expect.publicKeyX963);
    if (file.challenge) {
      const { clientDataHash, ...rest } = input;
      assert.deepEqual(verifier.verifyAttestation({ ...rest, challenge: bytes(file.challenge) }), record);
    }
    const otherApp = new PureAttest(module, { ...file, appID: `${file.appID}x` });
    const environment = file.environment === "production" ? "development" : "production";
    const otherEnvironment = new PureAttest(module, { ...file, environment });
    const flipped = input.attestation.slice();
    flipped[flipped.length - 1] ^= 1;
    refused("nonceMismatch", () => verifier.verifyAttestation({ ...input, clientDataHash: bytes("AAAA") }));
    refused("emptyClientDataHash", () => verifier.verifyAttestation({ ...input, clientDataHash: new Uint8Array() }));
    refused("keyIDMismatch", () => verifier.verifyAttestation({ ...input, keyID: new Uint8Array(32) }));
    refused("appIDMismatch", () => otherApp.verifyAttestation(input));
    refused("environmentMismatch", () => otherEnvironment.verifyAttestation(input));
    refused("certificate", () => verifier.verifyAttestation({ ...input, now: file.expect.leafNotAfter + 1 }));
    const cut = input.attestation.subarray(1);
    refused("malformedCBOR", () => verifier.verifyAttestation({ ...input, attestation: cut }));
    assert.throws(() => verifier.verifyAttestation({ ...input, attestation: flipped }), RefusedError);
    attestations += 1;
  });
  file.assertions.forEach((item, index) => {
    check(`${file.name}: assertion ${index + 1} verifies once, and for its challenge`, () => {
      const keyRecord = verifier.verifyAttestation(input);
      const clientData = bytes(item.clientData);
      const assertion = { assertion: bytes(item.assertion), clientData, challenge: null };
      const verify = (changes) => verifier.verifyAssertion({ ...assertion, keyRecord, ...changes });
      const advanced = verify({});
      assert.equal(new DataView(advanced.buffer).getUint32(99), item.counter);
      assert.deepEqual(verify({ challenge: clientData }), advanced);
      refused("challengeMismatch", () => verify({ challenge: bytes("AAAA") }));
      refused("counterNotIncreased", () => verify({ keyRecord: advanced }));
      refused("invalidSignature", () => verify({ clientData: bytes("AAAA") }));
      refused("malformedKeyRecord", () => verify({ keyRecord: new Uint8Array(3) }));
      assertions += 1;
    });
  });
}

/** The key record of AttestedKey.serialized, version 1, in the production environment. */
const recordOf = (publicKey, appID, counter) => {
  const tail = Buffer.alloc(12);
  tail.writeUInt32BE(counter, 0);
  tail.writeBigUInt64BE((2n << BigInt(counter)) - 1n, 4);
  return Buffer.concat([Buffer.of(1, 1), createHash("sha256").update(appID).digest(), publicKey, tail]);
};

check("an assertion of a key made here verifies, and no byte of it may change", () => {
  const app = { appID: "1234567890.com.example.myapp", environment: "production" };
  const verifier = new PureAttest(module, app);
  const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const point = publicKey.export({ type: "spki", format: "der" }).subarray(-65);
  const keyRecord = recordOf(point, app.appID, 6);
  const clientData = Buffer.from("challenge");
  const data = Buffer.concat([hash(Buffer.from(app.appID)), Buffer.of(0x40, 0, 0, 0, 7)]);
  const signature = sign("sha256", hash(data, hash(clientData)), privateKey);
  const text = (name) => Buffer.concat([Buffer.of(0x60 + name.length), Buffer.from(name)]);
  const string = (bytes) => Buffer.concat([Buffer.of(0x58, bytes.length), bytes]);
  const assertion = Buffer.concat([
    Buffer.of(0xa2), text("signature"), string(signature), text("authenticatorData"), string(data),
  ]);
  const input = { clientData, challenge: clientData, keyRecord };
  assert.deepEqual(Buffer.from(verifier.verifyAssertion({ ...input, assertion })), recordOf(point, app.appID, 7));
  for (let index = 0; index < assertion.length; index += 1) {
    const changed = Buffer.from(assertion);
    changed[index] ^= 1;
    assert.throws(() => verifier.verifyAssertion({ ...input, assertion: changed }), RefusedError);
    assert.throws(() => verifier.verifyAssertion({ ...input, assertion: assertion.subarray(0, index) }), RefusedError);
  }
});

check("no changed byte of an attestation traps, and the memory stops growing", () => {
  const file = JSON.parse(readFileSync(objectFiles[0], "utf8"));
  const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
  const verifier = new PureAttest(module, file);
  const attestation = bytes(file.attestation);
  const input = { keyID: bytes(file.keyID), clientDataHash: bytes(file.clientDataHash), now: file.verifyAt };
  const record = verifier.verifyAttestation({ ...input, attestation });
  const round = () => {
    // Every 17th byte: each outcome is a refusal, or the same record where the byte belongs to the receipt.
    for (let index = 0; index < attestation.length; index += 17) {
      const changed = attestation.slice();
      changed[index] ^= 0x81;
      try {
        assert.deepEqual(verifier.verifyAttestation({ ...input, attestation: changed }), record);
      } catch (error) {
        assert(error instanceof RefusedError, error);
      }
    }
  };
  round();
  const before = verifier.memorySize;
  round();
  assert.equal(verifier.memorySize, before);
});

check("the memory stops growing with messages of all sizes", () => {
  const message = randomBytes(4_096);
  for (let size = 0; size <= 4_096; size += 1) attest.sha256(message.subarray(0, size));
  const before = attest.memorySize;
  for (let size = 0; size <= 4_096; size += 1) attest.sha256(message.subarray(0, size));
  assert.equal(attest.memorySize, before);
});

console.log(`${attestations} genuine attestations, ${assertions} genuine assertions`);
console.log(`${passed} passed, 0 failed`);
