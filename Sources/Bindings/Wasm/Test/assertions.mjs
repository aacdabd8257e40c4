// Compares PureAttestAssertion.wasm with PureAttestWasm.wasm: node assertions.mjs ASSERTION_MODULE MODULE VECTORS.
import assert from "node:assert/strict";
import { AssertionVerifier, RefusedError } from "../../JavaScript/Verifier/pure-attest-assertion.mjs";
import { PureAttest } from "../../JavaScript/Verifier/pure-attest.mjs";
import { Checks, base64, codeOf, compile, random, readJSON } from "./support.mjs";

const [assertionModulePath, modulePath, vectors] = process.argv.slice(2);
const module = compile(assertionModulePath);
const whole = compile(modulePath);
const file = readJSON(`${vectors}/app-attest/apple-guide-2026.json`);
const options = { appID: file.appID, environment: file.environment };
const verifier = await PureAttest.instantiate(whole, options);
const alone = await AssertionVerifier.instantiate(module, options);
const { keyRecord, publicKey } = verifier.verifyAttestation({
  attestation: base64(file.attestation), keyID: base64(file.keyID), clientDataHash: base64(file.clientDataHash), now: file.verifyAt,
});
const checks = new Checks();
const check = (name, body) => checks.run(name, body);

await check("the module imports nothing, and exports the whole module's functions except those for certificates and P-384", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const names = (of) => WebAssembly.Module.exports(of).map(({ name }) => name);
  const missing = names(whole).filter((name) => !names(module).includes(name));
  assert.deepEqual(missing.sort(), [
    "pure_attest_self_test", "pure_attest_verify_attestation", "pure_attest_verify_p384", "pure_attest_verify_receipt",
  ]);
  assert.deepEqual(names(module).filter((name) => !names(whole).includes(name)), ["pure_attest_self_test_assertions"]);
});

await check("the module has the whole module's options", async () => {
  assert.deepEqual([alone.appIDs, alone.environment, alone.isBroken], [[file.appID], file.environment, false]);
  await assert.rejects(AssertionVerifier.instantiate(module, { ...options, environment: "sandbox" }), TypeError);
  await assert.rejects(AssertionVerifier.instantiate(new Uint8Array(8), options), TypeError);
  const own = { ...options, launchPolicy: { categories: ["appStore"] }, agePolicy: { maximumKeyAge: 1 }, counterPolicy: "slidingWindow" };
  assert.ok(await AssertionVerifier.instantiate(module, own));
});

await check("both modules import stored keys alike and reject invalid ones", () => {
  assert.deepEqual(alone.importKey({ publicKey, counter: 7 }), verifier.importKey({ publicKey, counter: 7 }));
  const wrong = publicKey.slice();
  wrong[64] ^= 1;
  for (const of of [alone, verifier]) assert.throws(() => of.importKey({ publicKey: wrong, counter: 0 }), { code: "invalidPublicKey" });
});

await check("digests equal the whole module's, and a malformed signature is false", () => {
  const message = base64(file.attestation);
  assert.deepEqual(alone.sha256(message), verifier.sha256(message));
  assert.equal(alone.verifyP256(publicKey, new Uint8Array(70), message), false);
});

await check("both modules reject garbage for the same reasons, and memory does not grow", () => {
  const below = random(19);
  const code = (of, object) => codeOf(() => of.verifyAssertion(object));
  // {"signature": h'3006020101020101', "authenticatorData": 37 bytes}: a well-formed assertion, whose mutations reach
  // more code than random bytes do.
  const text = (value) => [0x60 + value.length, ...Buffer.from(value)];
  const assertion = Uint8Array.from([
    0xa2, ...text("signature"), 0x48, 0x30, 6, 2, 1, 1, 2, 1, 1, ...text("authenticatorData"), 0x58, 37, ...alone.sha256(Buffer.from(file.appID)),
    0x40, 0, 0, 0, 1,
  ]);
  const input = { clientData: base64(file.clientDataHash), challenge: null, keyRecord };
  assert.equal(code(alone, { ...input, assertion }), "invalidSignature");
  const codes = new Set();
  let size = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const object = { ...input, assertion: assertion.slice(), keyRecord: keyRecord.slice() };
    const target = round % 4 === 0 ? object.keyRecord : object.assertion;
    for (let count = 1 + below(3); count > 0; count -= 1) target[below(target.length)] = below(256);
    const own = code(alone, object);
    assert.equal(own, code(verifier, object));
    codes.add(own);
    if (round === 5_000) size = alone.memorySize;
  }
  assert.ok(codes.size > 8 && !codes.has("verified"), [...codes].join());
  assert.equal(alone.memorySize, size);
  assert.ok(new RefusedError(33).code === "invalidSignature");
});

console.log(`${checks.count} checks of the assertion module passed`);
