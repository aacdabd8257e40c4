// Verifies the corpus of `pure-attest simulate corpus`: node corpus.mjs TEST_MODULE ASSERTION_MODULE CORPUS. The test
// module can trust test roots. Each object must have the verdict that its file states. For each rejected object, the
// reason must also be as stated. For assertions, the assertion module must return the same verdict and result.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { AssertionVerifier } from "../../JavaScript/Verifier/pure-attest-assertion.mjs";
import { base64, codeOf, compile, policiesOf, readJSON } from "./support.mjs";
import { instantiateTrusting } from "./test-roots.mjs";

const [modulePath, assertionModulePath, corpus] = process.argv.slice(2);
const module = compile(modulePath);
const assertionModule = compile(assertionModulePath);
const names = readdirSync(corpus).filter((name) => name.endsWith(".json")).sort();
const codes = {};
let asserted = 0;
const counts = { verified: 0, refused: 0 };

for (const name of names) {
  const file = readJSON(`${corpus}/${name}`);
  const options = { appID: file.appID, environment: file.environment, ...policiesOf(file) };
  const verifier = await instantiateTrusting(module, file.testAnchor, options);
  const alone = await AssertionVerifier.instantiate(assertionModule, options);
  const record = (what, item, body) => {
    const code = codeOf(body);
    codes[`${file.name} ${what}`] = code;
    assert.equal(code === "verified", item.verifies, `${file.name}, ${what}: the module says ${code}, the file ${item.reason}`);
    counts[code === "verified" ? "verified" : "refused"] += 1;
    // The native build uses the same codes for rejections.
    const native = item.verifies ? "verified" : [item.reasonCode, item.reasonDetail].filter((part) => part !== null).join("/");
    assert.equal(code, native, `${file.name}, ${what}`);
  };
  const input = {
    attestation: base64(file.attestation), keyID: base64(file.keyID), clientDataHash: base64(file.clientDataHash),
    now: file.verifyAt,
  };
  record("attestation", file.expect, () => verifier.verifyAttestation(input));
  if (!file.expect.verifies) continue;
  let { keyRecord } = verifier.verifyAttestation(input);
  for (const [index, item] of file.receipts.entries()) {
    assert.equal(item.receipt, null);
    record(`receipt ${index + 1}`, item, () =>
      verifier.verifyAttestation({ ...input, now: item.verifyAt, verifyReceipt: true }));
  }
  for (const [index, item] of file.assertions.entries()) {
    record(`assertion ${index + 1}`, item, () => {
      const object = {
        assertion: base64(item.assertion), clientData: base64(item.clientData), challenge: base64(item.challenge), keyRecord,
        now: item.verifyAt,
      };
      const outcome = (of) => {
        try {
          return of.verifyAssertion(object);
        } catch (error) {
          return { name: error.name, code: error.code };
        }
      };
      assert.deepEqual(outcome(alone), outcome(verifier), `${file.name}, assertion ${index + 1}: the modules differ`);
      asserted += 1;
      keyRecord = verifier.verifyAssertion(object).keyRecord;
    });
  }
}

// The terms: accepted objects, then faults in attestations, certificates, receipts and assertions.
assert.equal(names.length, 20 + 97 + 68 + 39 + 54);
const distinct = new Set(Object.values(codes)).size - 1;
console.log(`${names.length} files: ${counts.verified} objects verified, ${counts.refused} rejected for ${distinct} reasons, ${asserted} assertions with equal results in both modules`);
