// Tests the relying party of the installed package in Node, Deno or Bun: party-package.mjs MODULE TOOL VECTORS. Runs the
// test suite over the in-memory store with the test module, and verifies a genuine attestation from VECTORS.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import process from "node:process";
import { PureAttest } from "pure-attest";
import * as http from "pure-attest/http";
import * as limits from "pure-attest/limits";
import verifying from "pure-attest/module";
import { Purchases } from "pure-attest/purchases";
import purchasesModule from "pure-attest/purchases/module";
import * as relyingParty from "pure-attest/relying-party";
import shipped from "pure-attest/relying-party/module";
import * as stores from "pure-attest/stores";
import { runCases } from "./party-cases.mjs";
import { runHTTP } from "./party-http.mjs";
import { runOptions } from "./party-options.mjs";
import { Bench, sessionKeys } from "./party-support.mjs";
import { runSuite } from "./party-suite.mjs";

const [modulePath, tool, vectors] = process.argv.slice(2);
const runtime = globalThis.Deno ? `Deno ${Deno.version.deno}` : globalThis.Bun ? `Bun ${Bun.version}` : `Node ${process.version}`;

const file = JSON.parse(readFileSync(`${vectors}/app-attest/apple-guide-2026.json`, "utf8"));
const bytes = (name) => Buffer.from(file[name], "base64");
const options = { appID: file.appID, environment: file.environment };
const verifier = await PureAttest.instantiate(verifying, options);
const input = { attestation: bytes("attestation"), keyID: bytes("keyID"), clientDataHash: bytes("clientDataHash"), now: file.verifyAt };
assert.equal(verifier.verifyAttestation(input).appID, file.appID);

// The shipped module trusts only Apple's roots.
const { RelyingParty } = relyingParty;
const party = await RelyingParty.instantiate(shipped, { verifier: options, sessionKeys, store: new stores.MemoryStore() });
const { token } = await party.unattestedSession("192.0.2.1");
assert.ok((await party.verifyUnattestedSession(token)).expiresAt > Date.now() / 1000);
await assert.rejects(RelyingParty.instantiate(verifying, { verifier: options, sessionKeys, store: new stores.MemoryStore() }), TypeError);
const products = [{ productID: "com.example.pro", days: 1, requests: 5, units: 5 }];
const purchases = await Purchases.instantiate(purchasesModule, {
  bundleID: "com.example.app", sandbox: { products }, store: new stores.MemoryStore(),
});
await assert.rejects(
  purchases.register({ signedTransaction: "a.b.c", keyID: new Uint8Array(32) }),
  (error) => error instanceof relyingParty.Refusal && error.message === "signedData (signature: malformedBase64)",
);
assert.equal(await purchases.allowance(new Uint8Array(32)), null);

const bench = new Bench({ ...relyingParty, ...stores, ...limits, ...http }, new WebAssembly.Module(readFileSync(modulePath)), tool);
try {
  const { challenge } = await party.issueChallenge({ purpose: "attestation", keyID: bench.device.keyID });
  const request = { attestation: bench.device.attest(challenge), keyID: bench.device.keyID, challenge };
  const refusal = await bench.refusal(party.register(request));
  assert.deepEqual([refusal.step, refusal.status], ["verification", 401]);
  await runOptions(bench);
  await runCases(bench);
  await runHTTP(bench);
  await runSuite(bench, "memory", async () => Array(2).fill(new stores.MemoryStore()));
} finally {
  bench.close();
}
console.log(`${bench.count} checks of the packed relying party passed in ${runtime}`);
