// Tests purchases: node worker-purchases.mjs TEST_MODULE PURE_ATTEST PURCHASES_TEST_MODULE.
import assert from "node:assert/strict";
import { compile } from "../../../Bindings/Wasm/Test/support.mjs";
import { TestAppStore, purchasesTrusting } from "../../../Bindings/Wasm/Test/test-app-store.mjs";
import { address, close, json, model } from "./model.mjs";
import {
  appID, bearer, check, clock, database, enrolled, entryPoint, env, folder, handlerFor, is, log, post, request, runChecks, secondDatabase,
  sessionToken, signedHeaders, start,
} from "./worker-support.mjs";

const [, tool, modulePath] = process.argv.slice(2);
const module = compile(modulePath);
const appStore = new TestAppStore(tool, folder);
const makePurchases = (options) => purchasesTrusting(module, appStore.root, options);
const product = { productID: "com.example.monthly", requests: 100, units: 100_000 };
const settings = (changes = {}) => ({
  ...env, BUNDLE_ID: "com.example.app", APP_ATTEST_ENVIRONMENT: "production", BUDGET: { days: 1, requests: 3, units: 1_000 },
  PURCHASES: { sandboxProducts: [product] }, ...changes,
});
const handler = handlerFor({}, { makePurchases });

await runChecks("the Worker's purchases", async () => {
  const { keyID } = await enrolled(1);
  const session = await sessionToken(1, keyID, 1);
  const at = settings();
  const options = { party: handler, at };
  const purchase = (signedTransaction, more = {}) =>
    post("/purchase", { signedTransaction }, { headers: bearer(session), ...options, ...more });
  const notify = (body, more = {}) => request("POST", "/notifications", undefined, { raw: body, ...options, ...more });

  await check("a purchase raises the budget of /generate, until its refund", async () => {
    model.answer = json(50);
    const generating = settings({ GENERATE: { url: address, models: ["m"], maximumTokens: 500 }, GENERATE_KEY: "k" });
    const prompt = { messages: [{ role: "user", content: "Hello" }] };
    const generate = () => post("/generate", prompt, { headers: bearer(session), party: handler, at: generating });
    assert.equal((await generate()).headers.get("attest-requests-left"), "2");
    const answer = await purchase(appStore.transaction(), { at: generating });
    assert.deepEqual([answer.status, answer.productID, answer.expiresAt], [200, "com.example.monthly", start + 30 * 86_400]);
    assert.equal((await generate()).headers.get("attest-requests-left"), "99");
    const raw = JSON.stringify(prompt);
    const headers = { ...(await signedHeaders(1, keyID, 2, "/generate", raw)), "content-type": "application/json" };
    const answered = await request("POST", "/generate", undefined, { raw, headers, party: handler, at: generating });
    assert.equal(answered.headers.get("attest-requests-left"), "98");
    clock.now = start + 30;
    const refund = appStore.notification({ refunded: true, time: start + 20 });
    assert.equal((await notify(refund, { at: { ...generating, DB: secondDatabase } })).status, 200);
    assert.equal((await generate()).headers.get("attest-requests-left"), "1");
    is(await purchase(appStore.transaction(), { at: generating }), 422, "refused", "revoked");
    assert.equal(log.at(-1).step, "purchase");
  });

  await check("a signed request registers a purchase, and its answer has the next challenge", async () => {
    const raw = JSON.stringify({ signedTransaction: appStore.transaction({ original: "2" }) });
    const headers = { ...(await signedHeaders(1, keyID, 3, "/purchase", raw)), "content-type": "application/json" };
    assert.equal((await request("POST", "/purchase", undefined, { raw, headers, ...options })).status, 200);
    is(await request("POST", "/purchase", undefined, { raw, headers, ...options }), 409, "consumed");
  });

  await check("purchases need a proven key, and each malformed request its own answer", async () => {
    const signedTransaction = appStore.transaction({ original: "3" });
    is(await post("/purchase", { signedTransaction }, options), 401, "refused", "invalidToken");
    is(await purchase("x"), 422, "refused", "signedData (signature: notCompactSerialization)");
    is(await purchase(appStore.transaction({ fault: "appStore.algorithmNone" })), 422, "refused", "signedData (signature: algorithmMismatch)");
    is(await purchase(appStore.transaction({ store: "production" })), 422, "refused", "signedData (otherEnvironment)");
    is(await purchase(7), 400, "malformedRequest");
    is(await post("/purchase", { other: "x" }, { headers: bearer(session), ...options }), 400, "malformedRequest");
    is(await purchase("x".repeat(40_000)), 413, "tooLarge");
  });

  await check("the App Store gets 500 after any error, so that it repeats the notification", async () => {
    for (const [body, reason] of [
      ["", "signedData (malformedContent)"], ["{}", "signedData (memberMissing)"],
      [appStore.notification({ fault: "appStore.algorithmNone" }), undefined],
      [appStore.notification({ store: "production" }), "signedData (otherEnvironment)"],
      ["x".repeat(70_000), "tooLarge"],
    ]) {
      is(await notify(body), 500, "internalError", reason);
      assert.equal(log.at(-1).outcome, "refused");
    }
    const live = { products: [product], appAppleID: 42 };
    const wrongID = appStore.notification({ store: "production", appleID: 43 });
    is(await notify(wrongID, { at: settings({ PURCHASES: live }), party: handlerFor({}, { makePurchases }) }), 500, "internalError");
    assert.equal(log.at(-1).outcome, "failed");
    // No client limit applies to notifications, and the Worker looks up no user.
    const limited = settings({ SOURCES_LIMITER: { limit: async () => ({ success: false }) } });
    const surroundings = { makePurchases, account: () => { throw new Error("no user"); }, clientAddress: () => "not an address" };
    assert.equal((await notify(appStore.notification(), { at: limited, party: handlerFor({}, surroundings) })).status, 200);
    const old = settings({ DB: { prepare: () => ({ first: async () => ({ version: 4 }) }) } });
    is(await notify(appStore.notification(), { at: old, party: handlerFor({}, { makePurchases }) }), 500, "internalError");
    assert.deepEqual([log.at(-1).step, log.at(-1).outcome], ["configuration", "failed"]);
    const broken = { prepare: (text) => (/purchase_rows/.test(text) ? { bind: () => ({ all: async () => { throw new Error("D1"); } }) } : database.prepare(text)) };
    is(await notify(appStore.notification({ original: "4" }), { at: settings({ DB: broken }) }), 500, "internalError", "D1");
    assert.equal(log.at(-1).outcome, "failed");
    is(await purchase(appStore.transaction({ original: "4" }), { at: settings({ DB: broken }) }), 503, "serverUnavailable", "D1");
    assert.equal((await notify(appStore.notification({ original: "4" }))).status, 200);
  });

  await check("without PURCHASES the routes are absent, and settings that would punish customers are rejected", async () => {
    for (const path of ["/purchase", "/notifications"]) {
      const absent = new Request(`https://worker.example${path}`, { method: "POST", body: "{}" });
      assert.equal((await handlerFor({}, { makePurchases }).fetch(absent, settings({ PURCHASES: undefined }))).status, 404);
    }
    const fails = async (changes, pattern, surroundings = { makePurchases }) => {
      is(await purchase("x", { at: settings(changes), party: handlerFor({}, surroundings) }), 503, "serverUnavailable");
      assert.match(log.at(-1).reason, pattern);
    };
    await fails({}, /purchases-worker\.mjs/, {});
    await fails({ BUDGET: undefined }, /needs a BUDGET/);
    for (const change of [{ requests: 2 }, { units: 999 }]) {
      await fails({ PURCHASES: { sandboxProducts: [{ ...product, ...change }] } }, /BUDGET or more/);
    }
    for (const PURCHASES of [
      null, {}, { other: 1 }, { products: [product] }, { sandboxProducts: 7 }, { sandboxProducts: [] }, { sandboxProducts: [7] },
      { sandboxProducts: [product, product] }, { sandboxProducts: [product], maximumKeys: 0 }, { sandboxProducts: [product], maximumKeys: 31 },
      { sandboxProducts: [product], maximumKeys: "6" }, { sandboxProducts: [{ ...product, days: 1 }] },
    ]) await fails({ PURCHASES }, /production|sandbox|PURCHASES|maximumKeys/);
    for (const app of [{ appID }, { teamID: "TEST123456", bundleID: "com.example.app" }]) {
      const apps = { party: handlerFor({}, { makePurchases }), at: settings({ APPS: [app], BUNDLE_ID: undefined }) };
      assert.equal((await purchase(appStore.transaction({ original: "5" }), apps)).status, 200);
    }
  });

  await check("the entry point with purchases makes both verifiers of the settings", async () => {
    const modules = { "PureAttestRelyingParty.wasm": process.argv[2], "PureAttestPurchases.wasm": modulePath };
    const worker = await entryPoint("purchases-worker.mjs", modules, "purchases");
    const whole = settings({ TEAM_ID: "TEST123456" });
    is(await purchase(appStore.transaction(), { party: worker, at: whole }), 401, "refused");
    // This Worker trusts only Apple's root.
    is(await notify(appStore.notification(), { party: worker, at: whole }), 500, "internalError");
    assert.match(log.at(-1).reason, /^signedData/);
  });

  await check("a request's queries are counted, and other routes have none for purchases", async () => {
    const queries = async (send) => {
      const before = database.count;
      await send();
      return database.count - before;
    };
    const protectedRoute = () => request("GET", "/protected", undefined, { headers: bearer(session), ...options });
    const own = await queries(protectedRoute);
    const signedTransaction = appStore.transaction({ original: "6" });
    // The key changes its purchase, so the Worker reads and writes two rows: of the key and of the purchase. It then
    // reads the key's row and the list again.
    assert.equal(await queries(() => purchase(signedTransaction)), own + 6);
    assert.equal(await queries(() => purchase(signedTransaction)), own + 2);
    const without = { ...options, at: settings({ PURCHASES: undefined }), party: handlerFor({}, { makePurchases }) };
    await request("GET", "/protected", undefined, { headers: bearer(session), ...without });
    assert.equal(await queries(() => request("GET", "/protected", undefined, { headers: bearer(session), ...without })), own);
  });
}, close);
