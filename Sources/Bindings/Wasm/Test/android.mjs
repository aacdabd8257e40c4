// Runs NIST's test cases for RSASSA-PKCS1-v1_5 with SHA-256 in Embedded Swift, and verifies certificate chains of
// Android devices: node android.mjs MODULE VECTORS.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [path, vectors] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
assert.deepEqual(WebAssembly.Module.imports(module), []);
const { exports } = new WebAssembly.Instance(module);

function addresses(values) {
  return values.flatMap((bytes) => {
    const address = exports.pure_android_allocate(Math.max(bytes.length, 1));
    new Uint8Array(exports.memory.buffer).set(bytes, address);
    return [address, bytes.length];
  });
}

const verify = (...values) => exports.pure_rsa_verify(...addresses(values));

const hex = (digits) => Buffer.from(digits.length % 2 ? "0" + digits : digits, "hex");
const lines = readFileSync(`${vectors}/nist-cavp/rsa/SigVer15_186-3.rsp`, "latin1").split("\r\n");
let fields = {}, cases = 0, refused = 0;
for (const line of lines) {
  const [, name, value] = /^(\w+) = (.*)$/.exec(line) ?? [];
  if (!name) continue;
  fields[name] = value;
  if (name !== "Result" || fields.SHAAlg !== "SHA256") continue;
  const verdict = verify(hex(fields.n), hex(fields.e), hex(fields.S), hex(fields.Msg));
  if (fields.n.length < 512) {
    assert.equal(verdict, -1);
    refused += 1;
  } else {
    assert.equal(verdict, value.startsWith("P") ? 1 : 0, `case ${cases}`);
    cases += 1;
  }
}
assert.equal(cases, 54);
assert.equal(refused, 36);

const app = Buffer.concat([
  Buffer.from("com.google.android.attestation"),
  Buffer.from("EDk47kU35Z6O55L2VFBPuDRvxrNG0LvEQV/DOfz8jsE=", "base64"),
]);
const collector = Buffer.concat([
  Buffer.from("com.google.wireless.android.security.attestationverifier.collector"), app.subarray(-32),
]);
const chains = [
  ["tegu/sdk36/TEE_EC_2026_ROOT", app, "6417f92c-daef-4cc1-8828-5bb39338ffd5", 1_772_000_000n],
  ["akita/sdk34/TEE_EC_NONE", collector, "challenge", 1_726_500_000n],
  ["blueline/sdk28/SB_RSA_NONE", collector, "challenge", 1_800_000_000n],
];
for (const [name, owner, text, time] of chains) {
  const pem = readFileSync(`${vectors}/android-key-attestation/${name}.pem`, "latin1");
  const blocks = [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END/g)].map(([, body]) => Buffer.from(body, "base64"));
  const chain = Buffer.concat(blocks.flatMap((block) => [Buffer.from([block.length >> 8, block.length & 255]), block]));
  const challenge = Buffer.from(text);
  const check = (...values) => exports.pure_key_attestation_verify(...addresses(values), time);
  assert.equal(check(chain, owner, challenge), 1, name);
  assert.equal(check(chain, owner, Buffer.from("other")), 0, name);
  // A chain may omit the root certificate, as in WebAuthn's x5c. If the chain also omits the next certificate, no
  // trusted issuer remains.
  const ending = (count) => chain.subarray(0, chain.length - blocks.slice(-count).reduce((sum, { length }) => sum + length + 2, 0));
  assert.equal(check(ending(1), owner, challenge), 1, `${name} without the root`);
  assert.equal(check(ending(2), owner, challenge), 0, `${name} without the last two certificates`);
  for (let index = 2; index < chain.length - blocks.at(-1).length - 2; index += 37) {
    const flipped = Buffer.from(chain);
    flipped[index] ^= 1 << index % 8;
    assert.equal(check(flipped, owner, challenge), 0, `${name}, bit flipped in byte ${index}`);
  }
}
console.log(`${cases} RSA signatures and ${chains.length} Android certificate chains verified in Embedded Swift, ${refused} keys rejected`);
