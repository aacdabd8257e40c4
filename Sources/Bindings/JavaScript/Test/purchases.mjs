// Tests purchases over each store: node purchases.mjs PARTY_MODULE PURCHASES_MODULE TOOL. Environment: test-databases.mjs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { TestAppStore, bundleID, purchasesTrusting } from "../../Wasm/Test/test-app-store.mjs";
import * as http from "../RelyingParty/http.mjs";
import { MemoryLimits } from "../RelyingParty/limits.mjs";
import { Purchases, StoreError } from "../RelyingParty/purchases.mjs";
import * as relyingParty from "../RelyingParty/relying-party.mjs";
import { MemoryStore } from "../RelyingParty/stores.mjs";
import { Bench, FailingStore, start } from "./Party/party-support.mjs";
import { TestDatabases } from "./test-databases.mjs";

const [partyPath, modulePath, tool] = process.argv.slice(2);
const bench = new Bench({ ...relyingParty, MemoryLimits }, new WebAssembly.Module(readFileSync(partyPath)), tool);
const module = new WebAssembly.Module(readFileSync(modulePath));
const databases = await TestDatabases.in(bench.folder);
const appStore = new TestAppStore(tool, bench.folder);
const DAY = 86_400;
const keyOf = (byte) => new Uint8Array(32).fill(byte);
const monthly = { productID: "com.example.monthly", days: 1, requests: 100, units: 1_000 };
const settings = { bundleID, sandbox: { products: [monthly] } };
const both = {
  bundleID, production: { appAppleID: 42, products: [monthly] }, sandbox: { products: [{ ...monthly, requests: 10, units: 20 }] },
};
const purchasesOf = (store, options = settings) =>
  purchasesTrusting(module, appStore.root, { store, clock: () => bench.now, ...options });
const unitsOf = async (purchases, keyID, time) => (await purchases.allowance(keyID, { now: time }))?.units ?? null;
/** Returns the reason and detail of a rejection, or "accepted". Other errors fail. */
const outcome = (promise) => promise.then(() => "accepted", (error) => {
  assert.ok(error instanceof relyingParty.Refusal, String(error.stack));
  assert.equal(error.step, "purchase");
  return error.detail === undefined ? error.reason : `${error.reason}: ${error.detail}`;
});
const transaction = appStore.transaction();

/** `connect` returns two connections to one new store. */
async function runStore(name, connect) {
  const check = (text, body) => bench.check(`${name}: ${text}`, async () => body(...(await connect())));

  await check("a purchase gives its budget until it expires, and the key's own budget stays apart", async (store) => {
    const purchases = await purchasesOf(store);
    const party = await bench.party(store, { budget: { days: 1, requests: 5, units: 10 } });
    const holder = { keyID: keyOf(1), account: null };
    assert.equal(await purchases.allowance(holder.keyID), null);
    const purchase = await purchases.register({ signedTransaction: transaction, keyID: holder.keyID });
    assert.deepEqual(purchase, {
      environment: "sandbox", originalTransactionID: "2000000000000001", transactionID: "2000000000000002",
      productID: "com.example.monthly", purchasedAt: start - 1, signedAt: start, expiresAt: start + 30 * DAY, isRevoked: false,
    });
    const { allowance, ...active } = await purchases.purchase(holder.keyID, { now: start + 30 * DAY - 1 });
    assert.deepEqual(active, purchase);
    assert.deepEqual([allowance.days, allowance.requests, allowance.units], [1, 100, 1_000]);
    assert.equal(await purchases.purchase(holder.keyID, { now: start + 30 * DAY }), null);
    const reservation = await party.spendBudget(900, holder, { from: allowance });
    assert.deepEqual([reservation.balance.requestsLeft, reservation.balance.unitsLeft], [99, 100]);
    await reservation.settle(400);
    await purchases.register({ signedTransaction: transaction, keyID: keyOf(2) });
    const shared = await purchases.allowance(keyOf(2));
    assert.equal((await party.spendBudget(600, { keyID: keyOf(2), account: null }, { from: shared })).balance.unitsLeft, 0);
    assert.equal(await bench.outcome(party.spendBudget(1, holder, { from: allowance })), "budgetSpent");
    assert.equal((await party.spendBudget(10, holder, { from: null })).balance.unitsLeft, 0);
    for (const from of [{ days: 1, requests: 9, units: 9 }, 7, "x", true]) {
      await assert.rejects(party.spendBudget(1, holder, { from }), TypeError);
    }
  });

  await check("a purchase counts for six keys, also for two processes at the same time", async (store, second) => {
    const processes = [await purchasesOf(store), await purchasesOf(second)];
    const register = (byte) => processes[byte % 2].register({ signedTransaction: transaction, keyID: keyOf(byte) });
    const all = Array.from({ length: 12 }, (_, index) => index + 1);
    const outcomes = await Promise.all(all.map((byte) => outcome(register(byte))));
    assert.deepEqual([outcomes.filter((word) => word === "accepted").length, new Set(outcomes)], [6, new Set(["accepted", "tooManyKeys"])]);
    const [purchases] = processes;
    const keys = await purchases.keys("2000000000000001");
    const registered = all.filter((_, index) => outcomes[index] === "accepted");
    assert.deepEqual(keys.map(([byte]) => byte).sort((a, b) => a - b), registered);
    const other = all.find((byte) => !registered.includes(byte));
    const error = await register(other).catch((error) => error);
    assert.deepEqual([error.status, error.code, error.retryAfter, error.keyID], [422, "refused", null, keyOf(other)]);
    assert.equal(http.answerTo(error).status, 422);
    assert.deepEqual([await purchases.remove(keys[0]), await purchases.remove(keys[0]), await purchases.remove(keyOf(99))], [true, false, false]);
    assert.equal(await outcome(register(other)), "accepted");
    // Registering a key again succeeds, and the key counts only once.
    assert.equal(await outcome(register(other)), "accepted");
    assert.equal((await purchases.keys("2000000000000001")).length, 6);
    assert.deepEqual(await purchases.keys("7"), []);
  });

  await check("a refund ends the purchase, whatever arrives before or after it", async (store, second) => {
    const [purchases, other] = [await purchasesOf(store), await purchasesOf(second)];
    const refund = appStore.notification({ refunded: true, time: start + 20 });
    await purchases.register({ signedTransaction: transaction, keyID: keyOf(1) });
    assert.equal(await unitsOf(other, keyOf(1)), 1_000);
    bench.now += 30;
    for (const delivery of [refund, refund, appStore.notification({ time: start })]) {
      assert.equal((await other.receiveNotification(delivery)).isRevoked, true);
    }
    assert.equal(await unitsOf(purchases, keyOf(1)), null);
    assert.equal(await outcome(purchases.register({ signedTransaction: transaction, keyID: keyOf(1) })), "revoked");
    // A refund is stored even if no key uses the purchase yet.
    const refunded = appStore.transaction({ original: "5", refunded: true, time: start + 20 });
    assert.equal((await purchases.receiveTransaction(refunded)).isRevoked, true);
    assert.equal(await outcome(purchases.register({ signedTransaction: appStore.transaction({ original: "5" }), keyID: keyOf(1) })), "revoked");
  });

  await check("two environments: data goes to its own, and the first one with a purchase counts", async (store) => {
    const purchases = await purchasesOf(store, both);
    const live = { store: "production", appleID: 42 };
    assert.equal((await purchases.register({ signedTransaction: transaction, keyID: keyOf(1) })).environment, "sandbox");
    assert.equal(await unitsOf(purchases, keyOf(1)), 20);
    assert.equal((await purchases.register({ signedTransaction: appStore.transaction(live), keyID: keyOf(1) })).environment, "production");
    assert.equal(await unitsOf(purchases, keyOf(1)), 1_000);
    assert.equal((await purchases.receiveNotification(appStore.notification({ ...live, refunded: true }))).isRevoked, true);
    assert.equal(await unitsOf(purchases, keyOf(1)), 20);
    assert.equal(
      await outcome(purchases.receiveNotification(appStore.notification({ ...live, appleID: 43 }))), "signedData: otherAppAppleID");
    const sandbox = await purchasesOf(store);
    const signedTransaction = appStore.transaction(live);
    assert.equal(await outcome(sandbox.register({ signedTransaction, keyID: keyOf(1) })), "signedData: otherEnvironment");
    // The two App Attest environments have separate purchases.
    const development = await purchasesOf(store, { ...settings, appAttestEnvironment: "development" });
    assert.equal(await unitsOf(development, keyOf(1)), null);
  });

  await check("after a store's error the same call succeeds, at every step", async (store) => {
    const failing = new FailingStore(store);
    const purchases = await purchasesOf(failing);
    failing.failAt(Infinity);
    await purchases.register({ signedTransaction: appStore.transaction({ original: "9" }), keyID: keyOf(9) });
    const steps = failing.calls;
    assert.equal(steps, 4);
    // Moving a key from one purchase to another needs two more store calls.
    for (const [changes, count] of [[false, steps], [true, steps + 2]]) {
      for (let step = 1; step <= count; step += 1) {
        const [keyID, original] = [keyOf(step + (changes ? 50 : 0)), `${step}${changes ? 1 : 0}`];
        failing.failAt(Infinity);
        if (changes) await purchases.register({ signedTransaction: appStore.transaction({ original: `8${step}` }), keyID });
        const call = () => purchases.register({ signedTransaction: appStore.transaction({ original }), keyID });
        failing.failAt(step);
        await assert.rejects(call(), (error) => error === failing.error);
        await call();
        assert.equal((await purchases.purchase(keyID)).originalTransactionID, original);
        assert.equal((await purchases.keys(original)).length, 1);
      }
    }
  });
}

try {
  for (const { name, connect } of databases.stores) await runStore(name, connect);

  await bench.check("each fault is rejected for the reason that the command names", async () => {
    const purchases = await purchasesOf(new MemoryStore());
    const { faults } = JSON.parse(execFileSync(tool, ["faults", "--json"], { encoding: "utf8" }));
    const known = faults.filter(({ fault }) => fault.startsWith("appStore."));
    assert.ok(known.length >= 28, String(known.length));
    for (const { fault, reasonCode, reasonDetail } of known) {
      const cases = [reasonCode, ...(reasonDetail?.split(".") ?? [])];
      // The module's error codes do not name the broken rule for JSON, Base64 or ECDSA.
      const word = await outcome(purchases.register({ signedTransaction: appStore.transaction({ fault }), keyID: keyOf(1) }));
      const named = word.split(": ");
      assert.equal(named.shift(), "signedData", fault);
      assert.deepEqual(named, cases.slice(0, named.length), fault);
      assert.ok(named.length === cases.length || !["certificateChain", "malformedCertificate"].includes(named.at(-1)), fault);
    }
    assert.equal(await unitsOf(purchases, keyOf(1)), null);
  });

  await bench.check("other apps, other products and Apple's own verdict", async () => {
    const purchases = await purchasesOf(new MemoryStore());
    const register = (options) => outcome(purchases.register({ signedTransaction: appStore.transaction(options), keyID: keyOf(1) }));
    assert.equal(await register({ bundle: "com.example.other" }), "signedData: otherBundleID");
    assert.equal(await register({ product: "com.example.yearly" }), "otherProduct");
    assert.equal(await register({ original: "2", time: start - 31 * DAY }), "expired");
    assert.equal(await register({ original: "1".repeat(65) }), "malformedIdentifier");
    assert.equal(await register({ time: start + 301 }), "signedData: signedInFuture");
    // Purchases that are not created through the test export trust only Apple's root.
    const apple = await Purchases.instantiate(module, { ...settings, store: new MemoryStore(), clock: () => bench.now });
    const signedTransaction = transaction;
    assert.match(await outcome(apple.register({ signedTransaction, keyID: keyOf(1) })), /^signedData: (signature: |leafOf|untrusted)/);
  });

  await bench.check("hostile input is rejected, and the instance goes on", async () => {
    const purchases = await purchasesOf(new MemoryStore());
    const texts = [
      "", ".", "..", "a.b.c", "\u0000", "😀", "\ud800", "e30.e30.AAAA", `${transaction}.`, `.${transaction}`, "A".repeat(300_000),
      transaction.replace(".", ".."), new Uint8Array(5), new Uint8Array(1 << 19), new TextEncoder().encode(transaction).subarray(1),
    ];
    for (const signedTransaction of texts) {
      assert.match(await outcome(purchases.register({ signedTransaction, keyID: keyOf(1) })), /^signedData: signature/);
    }
    const bodies = [
      "", "{}", "[]", "null", "{\"signedPayload\":7}", "{\"signedPayload\":\"\"}", "[".repeat(100_000), `{"a":${"[".repeat(70)}`,
      `{"signedPayload":"${transaction}"}`, "0".repeat(2 << 20), `[${"1,".repeat(100_000)}1]`, "{\"signedPayload\":\"\\ud800\"}",
    ];
    for (const body of bodies) {
      assert.match(await outcome(purchases.receiveNotification(new TextEncoder().encode(body))), /^signedData: /, body.slice(0, 40));
    }
    for (let index = 0; index < transaction.length; index += 97) {
      const flipped = transaction.slice(0, index) + (transaction[index] === "B" ? "C" : "B") + transaction.slice(index + 1);
      assert.notEqual(await outcome(purchases.register({ signedTransaction: flipped, keyID: keyOf(1) })), "accepted", String(index));
    }
    assert.equal(purchases.isBroken, false);
    assert.equal(await outcome(purchases.register({ signedTransaction: transaction, keyID: keyOf(1) })), "accepted");
    assert.equal(purchases.with({ store: new MemoryStore() }).isBroken, false);
  });

  await bench.check("a damaged row and a store's other rows are the operator's errors", async () => {
    const store = new MemoryStore();
    const purchases = await purchasesOf(store);
    const name = Uint8Array.of(1, 1, 2, ...new TextEncoder().encode("2000000000000001"));
    await store.rows("insertPurchaseRow", [name, Uint8Array.of(9)]);
    const error = await purchases.register({ signedTransaction: transaction, keyID: keyOf(1) }).catch((error) => error);
    assert.deepEqual([error.reason, error.status, error.code], ["unreadableRecord", 503, "serverUnavailable"]);
    for (const row of [[7], [null], "row", [], 7, null]) {
      const broken = await purchasesOf({ rows: async () => [row] });
      await assert.rejects(broken.purchase(keyOf(1)), StoreError);
      assert.equal(broken.isBroken, false);
    }
  });

  await bench.check("endless contention ends after the attempts that the options allow", async () => {
    let count = 0;
    const losing = { rows: async (name) => (name.startsWith("select") ? [] : ((count += 1), [])) };
    const purchases = await purchasesOf(losing, { ...settings, maximumAttempts: 3 });
    const error = await purchases.receiveTransaction(transaction).catch((error) => error);
    assert.deepEqual([error.reason, error.retryAfter, count], ["contended", 1, 3]);
  });

  await bench.check("the routes of purchases", async () => {
    const store = new MemoryStore();
    const party = await bench.party(store);
    const purchases = await purchasesOf(store);
    const errors = [];
    const routes = http.purchaseRoutes(party, () => purchases, { prefix: "/app", onError: (error) => { errors.push(error); } });
    const send = (path, body, headers = {}) =>
      routes(new Request(`https://a.example${path}`, { method: "POST", body, headers: { "content-type": "application/json", ...headers } }));
    for (const path of ["/purchase", "/notifications", "/app", "/app/other"]) assert.equal(await send(path, "{}"), undefined);
    assert.equal(await routes(new Request("https://a.example/app/purchase")), undefined);
    const { keyID, session } = await bench.register(party);
    const bearer = { authorization: `Bearer ${session.token}` };
    const body = JSON.stringify({ signedTransaction: transaction });
    assert.equal((await send("/app/purchase", body)).status, 401);
    const accepted = await send("/app/purchase", body, bearer);
    assert.deepEqual(
      [accepted.status, await accepted.json(), accepted.headers.has("attest-challenge")],
      [200, { productID: "com.example.monthly", expiresAt: start + 30 * DAY }, true]);
    assert.equal(await unitsOf(purchases, keyID), 1_000);
    const signed = await bench.assertion(party, 1, { request: { method: "POST", target: "/app/purchase", body: new TextEncoder().encode(body) } });
    const text = (bytes) => Buffer.from(bytes).toString("base64");
    const signature = { "attest-key": text(keyID), "attest-challenge": text(signed.challenge), "attest-assertion": text(signed.assertion) };
    assert.equal((await send("/app/purchase", body, signature)).status, 200);
    for (const [wrong, status, headers] of [
      ["{}", 400, bearer], ["x".repeat(40_000), 413, bearer], [body, 415, { ...bearer, "content-type": "text/plain" }],
      [JSON.stringify({ signedTransaction: "x" }), 422, bearer],
    ]) assert.equal((await send("/app/purchase", wrong, headers)).status, status);
    const notification = appStore.notification({ refunded: true, time: start + 20 });
    assert.equal((await send("/app/notifications", notification)).status, 200);
    assert.equal(await unitsOf(purchases, keyID), null);
    for (const wrong of ["", "{}", "x".repeat(70_000)]) {
      const answer = await send("/app/notifications", wrong);
      assert.deepEqual([answer.status, await answer.json()], [500, { error: "internalError" }]);
    }
    const failing = http.purchaseRoutes(party, await purchasesOf({ rows: async () => { throw new Error("down"); } }), { onError: () => {} });
    const down = (path, body, headers) => failing(new Request(`https://a.example${path}`, { method: "POST", body, headers }));
    assert.equal((await down("/notifications", notification)).status, 500);
    assert.equal((await down("/purchase", body, { ...bearer, "content-type": "application/json" })).status, 503);
    assert.ok(errors.length >= 7);
    assert.throws(() => http.purchaseRoutes(party, {}), TypeError);
    assert.throws(() => http.purchaseRoutes(party, purchases, { maximumBody: 1 }), TypeError);
  });

  await bench.check("arguments and options that the server has wrong are a TypeError", async () => {
    const store = new MemoryStore();
    const purchases = await purchasesOf(store);
    for (const keyID of [undefined, null, "x", new Uint8Array(31), new Uint8Array(33)]) {
      await assert.rejects(purchases.register({ signedTransaction: transaction, keyID }), TypeError);
      await assert.rejects(purchases.purchase(keyID), TypeError);
      await assert.rejects(purchases.remove(keyID), TypeError);
    }
    for (const signedTransaction of [undefined, null, 7, {}]) {
      await assert.rejects(purchases.register({ signedTransaction, keyID: keyOf(1) }), TypeError);
      await assert.rejects(purchases.receiveTransaction(signedTransaction), TypeError);
    }
    await assert.rejects(purchases.receiveNotification("text"), TypeError);
    await assert.rejects(purchases.receiveNotification(new Uint8Array(), { time: 1 }), TypeError);
    await assert.rejects(purchases.keys(7), TypeError);
    const product = (changes) => ({ ...settings, sandbox: { products: [{ ...monthly, ...changes }] } });
    const wrong = [
      { ...settings, store: {} }, { ...settings, clock: 7 }, { ...settings, bundleID: "" }, { ...settings, bundleID: 7 },
      { ...settings, bundleID: "a".repeat(1_025) }, { bundleID }, { ...settings, appAttestEnvironment: "sandbox" }, { ...settings, other: 1 },
      { ...settings, maximumKeys: 0 }, { ...settings, maximumKeys: 101 }, { ...settings, maximumAttempts: 0 }, { bundleID, production: { products: [monthly] } },
      { bundleID, production: { products: [monthly], appAppleID: 0 } }, { bundleID, sandbox: {} }, { bundleID, sandbox: { products: [] } },
      { bundleID, sandbox: { products: [monthly, monthly] } }, product({ productID: "" }), product({ productID: "a".repeat(256) }),
      product({ days: 0 }), product({ days: 3_661 }), product({ requests: -1 }), product({ units: 2 ** 53 }), product({ per: "key" }),
      product({ productID: "\ud800" }),
    ];
    for (const [index, options] of wrong.entries()) await assert.rejects(purchasesOf(store, { store, ...options }), TypeError, String(index));
    await assert.rejects(Purchases.instantiate(new Uint8Array(), { store, ...settings }), TypeError);
    await assert.rejects(Purchases.instantiate(bench.module, { store, ...settings }), TypeError);
  });
} finally {
  await databases.close();
  bench.close();
}
console.log(`${bench.count} checks of purchases over ${databases.names} passed`);
