// Tests the installed package; npm.sh runs it: node package.mjs VECTORS.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { PureAttest, RefusedError } from "pure-attest";
import { AssertionVerifier } from "pure-attest/assertion";
import assertionModule from "pure-attest/assertion/module";
import { explainAttestation } from "pure-attest/explain";
import explainModule from "pure-attest/explain/module";
import module from "pure-attest/module";

const folder = "node_modules/pure-attest";
const manifest = createRequire(import.meta.url)("pure-attest/package.json");
assert.equal(manifest.dependencies, undefined);
assert.deepEqual(readdirSync("node_modules").filter((name) => !name.startsWith(".")), ["pure-attest"]);
const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
for (const target of targets(manifest.exports)) assert.ok(existsSync(`${folder}/${target}`), target);
// The package exports every WebAssembly module in the same forms.
const forms = Object.entries(manifest.exports).filter(([name]) => name.endsWith("/module")).map(([name, conditions]) => [name, Object.keys(conditions)]);
assert.deepEqual(forms.map(([name]) => name), ["./module", "./explain/module", "./assertion/module", "./relying-party/module", "./purchases/module"]);
for (const [name, conditions] of forms) assert.deepEqual(conditions, ["types", "workerd", "node", "deno", "bun", "default"], name);
// The type declarations must list exactly the values that a JavaScript module exports.
for (const [name, target] of Object.entries(manifest.exports)) {
  if (typeof target === "string" || target.default === undefined || name.endsWith("/module")) continue;
  const declared = readFileSync(`${folder}/${target.types}`, "utf8");
  const lists = [...declared.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => list.split(",").map((word) => word.trim()));
  const values = [...declared.matchAll(/^export (?:declare )?(?:class|function|const) (\w+)/gm)].map(([, value]) => value);
  const loaded = Object.keys(await import(name.replace(".", "pure-attest")));
  // These exports are undocumented. Other files of the package and of the sample Worker use them.
  const internal = { ".": ["callIn", "partyIn"], "./relying-party": ["removeBudgets", "removeTokens"] }[name] ?? [];
  assert.deepEqual([...values, ...lists].filter((word) => word !== "").sort(), loaded.filter((word) => !internal.includes(word)).sort(), name);
}
assert.ok(existsSync(`${folder}/LICENSE`) && existsSync(`${folder}/README.md`));
assert.ok(module instanceof WebAssembly.Module);
assert.ok(WebAssembly.validate(readFileSync(createRequire(import.meta.url).resolve("pure-attest/PureAttestWasm.wasm"))));

const file = JSON.parse(readFileSync(`${process.argv[2]}/app-attest/apple-guide-2026.json`));
const bytes = (name) => Buffer.from(file[name], "base64");
const verifier = await PureAttest.instantiate(module, { appID: file.appID, environment: file.environment });
const input = { attestation: bytes("attestation"), keyID: bytes("keyID"), clientDataHash: bytes("clientDataHash"), now: file.verifyAt };
assert.equal(verifier.verifyAttestation(input).appID, file.appID);
assert.throws(() => verifier.verifyAttestation({ ...input, keyID: new Uint8Array(32) }), RefusedError);

// Tests reports with the explaining module, which can also verify objects.
assert.ok(WebAssembly.validate(readFileSync(createRequire(import.meta.url).resolve("pure-attest/PureAttestExplainWasm.wasm"))));
const explainer = await PureAttest.instantiate(explainModule, { appID: file.appID, environment: file.environment });
assert.equal(explainer.verifyAttestation(input).appID, file.appID);
assert.ok(explainAttestation(explainer, input).steps.every(({ status }) => status === "passed"));
assert.throws(() => explainAttestation(verifier, input), TypeError);
const alone = await AssertionVerifier.instantiate(assertionModule, { appID: file.appID, environment: file.environment });
assert.throws(
  () => alone.verifyAssertion({
    assertion: new Uint8Array(), clientData: new Uint8Array(), challenge: null, keyRecord: verifier.verifyAttestation(input).keyRecord,
  }), { name: "RefusedError", code: "malformedCBOR" });
console.log(`${manifest.name} ${manifest.version}, installed offline in Node ${process.version}, verifies a genuine attestation`);
