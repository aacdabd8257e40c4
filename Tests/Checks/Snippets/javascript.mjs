// Runs the JavaScript blocks that extract.py extracted: node javascript.mjs BLOCKS PURE_ATTEST TEST_MODULE. Replaces
// the verifier's module with TEST_MODULE, which trusts the virtual device that PURE_ATTEST simulates.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { explainAttestation, reportText } from "../../../Sources/Bindings/JavaScript/Verifier/explain.mjs";
import { attestRoutes, purchaseRoutes, withAssertion, withSession } from "../../../Sources/Bindings/JavaScript/RelyingParty/http.mjs";
import { PureAttest, RefusedError } from "../../../Sources/Bindings/JavaScript/Verifier/pure-attest.mjs";
import { Purchases } from "../../../Sources/Bindings/JavaScript/RelyingParty/purchases.mjs";
import { RelyingParty } from "../../../Sources/Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { MemoryStore, PostgreSQLStore } from "../../../Sources/Bindings/JavaScript/RelyingParty/stores.mjs";
import { createHandler } from "../../../Sources/Apps/Worker/handler.mjs";
import { instantiateTrusting } from "../../../Sources/Bindings/Wasm/Test/test-roots.mjs";
import { D1Database } from "../../../Sources/Apps/Worker/Test/d1.mjs";
import { base64, readJSON } from "../../../Sources/Bindings/Wasm/Test/support.mjs";

const [blocks, tool, testModule] = process.argv.slice(2);
// The database for the article Migrating.md, which defines "the Workers reference". It contains the reference's table,
// with one key for each environment, and the sample Worker's tables.
const workersReference = new D1Database();
const counter = 7;

async function fillReference(publicKey) {
  const migrations = new URL("../../../Sources/Apps/Worker/migrations/", import.meta.url);
  const files = readdirSync(migrations).sort().map((name) => readFileSync(new URL(name, migrations), "utf8"));
  for (const sql of files.flatMap((text) => text.split(/(?<=;)\n/)).filter((sql) => sql !== "")) await workersReference.prepare(sql).run();
  await workersReference.prepare(`CREATE TABLE app_attest_keys (key_id TEXT PRIMARY KEY, public_key_spki BLOB NOT NULL,
    assertion_counter INTEGER NOT NULL, environment TEXT NOT NULL, last_used_at INTEGER)`).run();
  const key = await crypto.subtle.importKey("raw", publicKey, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
  const spki = await crypto.subtle.exportKey("spki", key);
  for (const environment of ["prod", "dev"]) {
    await workersReference.prepare("INSERT INTO app_attest_keys VALUES (?1, ?2, ?3, ?4, NULL)").bind(environment, spki, counter, environment).run();
  }
}

/** Checks that the imported row contains the attested key, and that the verifier rejects a counter value below the imported one. */
async function checkImported(verifier, { keyID, attestation, assertion, challenge, now }) {
  const { results } = await workersReference.prepare("SELECT * FROM attested_keys").run();
  assert.equal(results.length, 1);
  assert.deepEqual([results[0].key_id, results[0].counter, results[0].receipt], [[...keyID], counter, []]);
  const keyRecord = new Uint8Array(results[0].record);
  const attested = verifier.verifyAttestation({ attestation, keyID, challenge, now }).keyRecord;
  // Bytes 1 to 98: environment, app and public key. Byte 0 is the version, which differs because an imported key has no other values.
  assert.deepEqual(keyRecord.subarray(1, 99), attested.subarray(1, 99));
  // The assertion has counter value 1, which is not above the counter value 7 of the imported record.
  assert.throws(() => verifier.verifyAssertion({ assertion, clientData: challenge, challenge, keyRecord }), { code: "counterNotIncreased" });
}

const folder = mkdtempSync(join(tmpdir(), "snippets-"));
try {
  // Uses the current time, because some blocks pass no time to the verifier.
  const time = new Date().toISOString().replace(/\.\d+/, "");
  const simulate = (command, ...options) => execFileSync(
    tool, ["simulate", command, "--seed", "1", "--out", folder, "--app-id", "1234567890.com.example.myapp", "--time", time, ...options]);
  simulate("attest", "--challenge", "text:challenge");
  simulate("assert", "--challenge", "text:challenge", "--client-data", "text:challenge");
  const attested = readJSON(join(folder, "attestation.json"));
  const signed = readJSON(join(folder, "assertion.json"));
  const challenge = new TextEncoder().encode("challenge");
  const compiled = (name) => WebAssembly.compile(readFileSync(join(dirname(testModule), name)));
  const partyModule = await compiled("PureAttestRelyingPartyTest.wasm");
  const given = {
    PureAttest: { instantiate: (module, options) => instantiateTrusting(module, attested.testAnchor, options) },
    RefusedError, createHandler, explainAttestation, reportText, module: await WebAssembly.compile(readFileSync(testModule)),
    teamID: "1234567890", bundleID: "com.example.myapp", challenge, clientData: challenge, now: attested.verifyAt,
    attestation: base64(attested.attestation), keyID: base64(attested.keyID), assertion: base64(signed.assertions[0].assertion),
    assert, workersReference, attestRoutes, purchaseRoutes, withAssertion, withSession, PostgreSQLStore,
    // The relying party has its own module.
    RelyingParty: { instantiate: (_, options) => RelyingParty.instantiate(partyModule, options) },
    Purchases, purchasesModule: await compiled("PureAttestPurchases.wasm"), store: new MemoryStore(),
    answer: async () => 5, secret: new Uint8Array(32), pool: { query: async () => ({ rows: [] }) }, pay: async () => ({}),
  };
  given.party = await given.RelyingParty.instantiate(undefined, {
    verifier: { teamID: given.teamID, bundleID: given.bundleID, environment: "production" }, sessionKeys: [{ id: "1", secret: given.secret }],
    store: given.store,
  });
  given.checkImported = (verifier) => checkImported(verifier, given);
  await fillReference(base64(signed.expect.publicKeyX963));
  const imports = /^import ((?:\{ [\w, ]+ \})|\w+) from "[\w./-]+";.*$/gm;
  const AsyncFunction = (async () => {}).constructor;
  const files = readdirSync(blocks).filter((name) => name.endsWith(".mjs"));
  for (const name of files) {
    const text = readFileSync(join(blocks, name), "utf8");
    for (const [, what] of text.matchAll(imports)) {
      for (const imported of what.match(/\w+/g)) assert.ok(imported in given, `${text.split("\n", 1)}: ${imported}`);
    }
    // The braces form a new scope, so that the code may redeclare names.
    const run = new AsyncFunction(...Object.keys(given), `{ ${text.replace(imports, "")}\n }`);
    try { await run(...Object.values(given)); } catch (error) {
      throw new Error(`${text.split("\n", 1)[0].slice(3)}: ${error.stack}`);
    }
  }
  assert.ok(files.length >= 3);
  assert.equal(typeof PureAttest.instantiate, "function");
  console.log(`${files.length} blocks of JavaScript run`);
} finally {
  workersReference.close();
  rmSync(folder, { recursive: true });
}
