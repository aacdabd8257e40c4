// Compares the reports of PureAttestExplainTestWasm.wasm with the output of `pure-attest explain --json`: node
// explain.mjs TEST_MODULE CORPUS TOOL VECTORS. The steps, codes, causes and texts must be equal, for each object and
// for many variants of each object. TEST_MODULE can trust test roots.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { explainAssertion, explainAttestation, explainAttestedReceipt, explainReceipt, reportText } from "../../JavaScript/Verifier/explain.mjs";
import { PureAttest, RefusedError } from "../../JavaScript/Verifier/pure-attest.mjs";
import { reasonText } from "../../JavaScript/Verifier/reason-texts.mjs";
import { CERTIFICATE_REASONS } from "../../JavaScript/Generated/reasons.mjs";
import { CAUSES, CHECKS, VALUES } from "../../JavaScript/Generated/report-texts.mjs";
import { base64, compile, policiesOf, random, readJSON } from "./support.mjs";
import { instantiateTrusting } from "./test-roots.mjs";

const [modulePath, corpus, tool, vectors] = process.argv.slice(2);
const module = compile(modulePath);

for (const detail of CERTIFICATE_REASONS.filter(Boolean)) assert.match(reasonText("certificate", detail), /: [a-z0-9 ]+$/);

const counts = { reports: 0, passed: 0, failed: 0, unreadable: 0 };
const seen = { CHECKS: new Set(), CAUSES: new Set(), VALUES: new Set() };

/** Returns the challenge of a single assertion for the tool, which accepts one challenge for all assertions. */
const signedChallenge = ({ assertions }) => (assertions?.length === 1 ? assertions[0].challenge : undefined);

/** Returns the tool's reports, or undefined for an unreadable file. */
function reportsOfTool(file) {
  const options = file.testAnchor ? ["--trust-test-anchor"] : [];
  if (signedChallenge(file) !== undefined) options.push("--signed-challenge", signedChallenge(file));
  const { stdout, status, stderr } = spawnSync(tool, ["explain", "--json", ...options, "-"], { input: JSON.stringify(file), encoding: "utf8" });
  if (status === 2) return undefined;
  assert.ok(status === 0 || status === 1, stderr);
  return JSON.parse(stdout).reports;
}

/** Returns this module's reports, in the form of the tool's reports. */
async function reportsOf(file) {
  const options = { appID: file.appID, environment: file.environment, ...(file.testAnchor ? policiesOf(file) : {}) };
  const verifier = file.testAnchor
    ? await instantiateTrusting(module, file.testAnchor, options) : await PureAttest.instantiate(module, options);
  // Like the tool, uses the challenge if the file has one, and otherwise the client data hash.
  const hash = file.challenge ? { challenge: base64(file.challenge) } : { clientDataHash: base64(file.clientDataHash) };
  const input = { attestation: base64(file.attestation), keyID: base64(file.keyID), ...hash, now: file.verifyAt };
  const reports = [explainAttestation(verifier, input)];
  let keyRecord;
  try {
    ({ keyRecord } = verifier.verifyAttestation(input));
  } catch (error) {
    assert.ok(error instanceof RefusedError, error);
    assert.throws(() => explainAttestedReceipt(verifier, input), RefusedError);
    return { reports, verifier };
  }
  for (const { receipt, verifyAt } of file.receipts ?? [{ receipt: null }]) {
    const now = verifyAt ?? file.verifyAt;
    reports.push(receipt
      ? explainReceipt(verifier, { receipt: base64(receipt), keyRecord, now, maximumAge: null })
      : explainAttestedReceipt(verifier, { ...input, now }));
  }
  for (const item of file.assertions ?? []) {
    const object = {
      assertion: base64(item.assertion), clientData: base64(item.clientData),
      challenge: signedChallenge(file) === undefined ? null : base64(item.challenge), keyRecord, now: item.verifyAt ?? file.verifyAt,
    };
    reports.push(explainAssertion(verifier, object));
    try {
      ({ keyRecord } = verifier.verifyAssertion(object));
    } catch (error) {
      assert.ok(error instanceof RefusedError, error);
    }
  }
  return { reports, verifier };
}

async function compare(name, original) {
  // The stored counter comes from the previous assertion, not from the file.
  const file = { ...original, assertions: original.assertions?.map((item) => ({ ...item, previousCounter: undefined })) };
  const expected = reportsOfTool(file);
  if (expected === undefined) {
    counts.unreadable += 1;
    return;
  }
  const { reports } = await reportsOf(file);
  assert.equal(reports.length, expected.length, name);
  for (const [index, { subject, authority, steps }] of reports.entries()) {
    assert.equal(subject, expected[index].subject, name);
    assert.equal(authority, expected[index].authority, name);
    assert.equal(authority, file.testAnchor ? "test" : "apple", name);
    const ours = steps.map(({ reason, expectedValue, receivedValue, causes, ...step }) => {
      seen.CHECKS.add(step.stepCode);
      for (const value of [expectedValue, receivedValue]) if (value) seen.VALUES.add(value.code);
      for (const cause of causes) seen.CAUSES.add(cause.code);
      counts[step.status] = (counts[step.status] ?? 0) + 1;
      assert.equal(reason === null, step.status !== "failed", name);
      return { ...step, likelyCauses: causes.map(({ text }) => text), causeCodes: causes.map(({ code }) => code) };
    });
    assert.deepEqual(ours, expected[index].steps.map(({ reason, ...step }) => step), `${name}, ${subject}`);
    counts.reports += 1;
  }
}

const files = readdirSync(corpus).filter((name) => name.endsWith(".json")).sort().map((name) => readJSON(`${corpus}/${name}`));
for (const file of files) await compare(file.name, file);
for (const name of readdirSync(`${vectors}/app-attest`)) await compare(name, readJSON(`${vectors}/app-attest/${name}`));

// Common mistakes of clients and servers, each applied to one object.
const accepted = files.find(({ name, challenge }) => name.startsWith("accepted.iOS27") && challenge);
const mac = files.find(({ name }) => name.startsWith("accepted.mac"));
const bytes = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part))).toString("base64");
const text = (name) => ({
  base64: bytes(accepted[name]), base64url: bytes(Buffer.from(accepted[name], "base64").toString("base64url")),
  hex: bytes(Buffer.from(accepted[name], "base64").toString("hex")), json: bytes(JSON.stringify({ challenge: accepted[name] })),
  string: bytes(JSON.stringify(accepted[name])),
});
const key = Buffer.from(accepted.expect.publicKeyX963, "base64");
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("base64");
const info = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");
const [first, second] = accepted.assertions;
const changedAssertion = (change) => ({ assertions: [{ ...first, ...change }] });
const policy = (change) => ({ launchPolicy: { validationCategories: [1, 4], bundleVersions: null, codeDirectoryHashes: null, ...change } });
const rewrite = (value, index, bit = 1) => {
  const changed = Buffer.from(value, "base64");
  changed[index] ^= bit;
  return changed.toString("base64");
};
const variations = {
  ...Object.fromEntries(Object.entries(text("challenge")).map(([form, challenge]) => [`challenge as ${form}`, { challenge}])),
  ...Object.fromEntries(Object.entries(text("clientDataHash")).map(([form, clientDataHash]) => [`hash as ${form}`, { challenge: undefined, clientDataHash }])),
  ...Object.fromEntries(Object.entries(text("keyID")).map(([form, keyID]) => [`key identifier as ${form}`, { keyID }])),
  ...Object.fromEntries(Object.entries(text("attestation")).map(([form, attestation]) => [`attestation as ${form}`, { attestation }])),
  "challenge used raw": { challenge: accepted.clientDataHash},
  "challenge of another": { challenge: bytes("another")},
  "challenge as hash": { challenge: undefined, clientDataHash: accepted.challenge },
  "empty hash": { challenge: undefined, clientDataHash: "" },
  "key identifier of the information": { keyID: sha256(info, key) },
  "key identifier of x and y": { keyID: sha256(key.subarray(1)) },
  "key identifier of another": { keyID: sha256(key, key) },
  "no attestation": { attestation: "" },
  "assertion as attestation": { attestation: first.assertion },
  "other environment": { environment: accepted.environment === "production" ? "development" : "production" },
  "other team": { appID: "ABCDE12345.com.example.another" },
  "other prefix": { appID: accepted.appID.replace(/^\w+/, "ABCDE12345") },
  "other app": { appID: accepted.appID.replace(/\.com\..*/, ".com.example.another") },
  "extension": { appID: accepted.appID.slice(0, -1) },
  "too early": { verifyAt: 0 },
  "a day too late": { verifyAt: accepted.verifyAt + 86_400 },
  "years too late": { verifyAt: accepted.verifyAt + 5e9 },
  "in the last second that is a time": { verifyAt: 253_402_300_799 },
  "other root": { testAnchor: mac.testAnchor },
  "assertion twice": { assertions: [first, first] },
  "attestation as assertion": changedAssertion({ assertion: accepted.attestation.slice(0, 4_000) }),
  "whole attestation as assertion": changedAssertion({ assertion: accepted.attestation }),
  "assertion as base64": changedAssertion({ assertion: bytes(first.assertion) }),
  "no assertion": changedAssertion({ assertion: "" }),
  "client data changed": changedAssertion({ clientData: bytes("{}") }),
  "client data as base64": changedAssertion({ clientData: bytes(first.clientData) }),
  "client data as hex": changedAssertion({ clientData: bytes(Buffer.from(first.clientData, "base64").toString("hex")) }),
  "client data as JSON": changedAssertion({ clientData: bytes(JSON.stringify({ a: first.clientData })) }),
  "client data with more": changedAssertion({ clientData: bytes(Buffer.from(first.clientData, "base64"), "more") }),
  "client data hashed": changedAssertion({ clientData: first.clientDataHash }),
  "other challenge": changedAssertion({ challenge: bytes("another") }),
  "empty signed challenge": changedAssertion({ challenge: "" }),
  "category": policy({ validationCategories: [2] }),
  "version": policy({ bundleVersions: ["1", "2", "3", "\u202e\u0007ü€", "5", "6"] }),
  "build": policy({ codeDirectoryHashes: [sha256(key), sha256(info)] }),
  "newer system": { systemPolicy: { minimumVersion: "99.9.9", minimumMacOSVersion: "99", acceptsPrereleases: true } },
};
for (const [name, change] of Object.entries(variations)) await compare(name, { ...accepted, ...change });
await compare("device as Mac", { ...mac, platform: "device" });
await compare("Mac as device", { ...accepted, platform: "macOS" });
const numbers = random(7);
for (const file of [accepted, mac]) {
  const size = Buffer.from(file.attestation, "base64").length;
  for (let index = numbers(40); index < size; index += 41) {
    await compare(`${file.name}, byte ${index}`, { ...file, attestation: rewrite(file.attestation, index, 1 << numbers(8)) });
    if (index < 150) await compare(`assertion, byte ${index}`, { ...file, assertions: [{ ...file.assertions[0], assertion: rewrite(file.assertions[0].assertion, index) }] });
  }
}

// Report functions copy, check and free inputs like the verifying functions. Modules without them throw.
const { verifier } = await reportsOf(accepted);
const input = { attestation: base64(accepted.attestation), keyID: base64(accepted.keyID), challenge: base64(accepted.challenge), now: accepted.verifyAt };
assert.match(reportText(explainAttestation(verifier, input)), /^Diagnostic report \(not a verification\): attestation\.\nok     object: .*\n$/s);
assert.throws(() => explainAttestation(verifier, { ...input, attestation: "text" }), { name: "TypeError", message: /^attestation: / });
assert.throws(() => explainAttestation(verifier, { ...input, attestation: new Uint8Array(2 ** 20 + 1) }), RefusedError);
assert.throws(() => explainAttestation(verifier, { ...input, clientDataHash: input.challenge }), TypeError);
assert.throws(() => explainAssertion(verifier, { assertion: input.keyID, clientData: input.keyID, challenge: null, keyRecord: input.keyID }), { code: "unsupportedKeyRecord" });
const stored = verifier.verifyAttestation(input);
for (const now of [Date.now(), NaN, "5"]) {
  for (const explain of [
    () => explainAttestation(verifier, { ...input, now }), () => explainAttestedReceipt(verifier, { ...input, now }),
    () => explainAssertion(verifier, { assertion: input.keyID, clientData: input.keyID, challenge: null, keyRecord: stored.keyRecord, now }),
    () => explainReceipt(verifier, { receipt: stored.receipt, keyRecord: stored.keyRecord, now }),
  ]) assert.throws(explain, { name: "TypeError", message: /^now: seconds since 1970/ });
}
const memory = verifier.memorySize;
for (let round = 0; round < 200; round += 1) explainAttestation(verifier, input);
assert.equal(verifier.memorySize, memory);
assert.equal(verifier.isBroken, false);

const never = (table, set) => table.slice(1).map(([code]) => code).filter((code) => !set.has(code));
if (process.env.SHOW_UNSEEN) console.log(never(CHECKS, seen.CHECKS), never(CAUSES, seen.CAUSES), never(VALUES, seen.VALUES), counts);
assert.ok(seen.CAUSES.size >= 50 && counts.unreadable < 10, `${seen.CAUSES.size} causes, ${counts.unreadable} unreadable`);
console.log(`${counts.reports} reports equal the tool's, with ${seen.CHECKS.size} of ${CHECKS.length - 1} steps and ${seen.CAUSES.size} of ${CAUSES.length - 1} causes`);
