// Runs PureAttestWasm.wasm: node test.mjs MODULE VECTORS [EXTRA_VECTORS]. Any failed check throws; the last line counts
// what ran.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { PureAttest } from "./pure-attest.mjs";

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
const attest = new PureAttest(module);

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

check("the memory stops growing", () => {
  const message = randomBytes(4_096);
  for (let size = 0; size <= 4_096; size += 1) attest.sha256(message.subarray(0, size));
  const before = attest.memorySize;
  for (let size = 0; size <= 4_096; size += 1) attest.sha256(message.subarray(0, size));
  assert.equal(attest.memorySize, before);
});

console.log(`${passed} passed, 0 failed`);
