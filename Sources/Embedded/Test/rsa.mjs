// NIST's cases of RSASSA-PKCS1-v1_5 with SHA-256, in Embedded Swift. Usage: node rsa.mjs MODULE VECTORS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [path, vectors] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
assert.deepEqual(WebAssembly.Module.imports(module), []);
const { exports } = new WebAssembly.Instance(module);

function verify(...values) {
  const arguments_ = values.flatMap((bytes) => {
    const address = exports.pure_rsa_allocate(Math.max(bytes.length, 1));
    new Uint8Array(exports.memory.buffer).set(bytes, address);
    return [address, bytes.length];
  });
  return exports.pure_rsa_verify(...arguments_);
}

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
console.log(`${cases} RSA signatures in Embedded Swift, and ${refused} keys refused`);
