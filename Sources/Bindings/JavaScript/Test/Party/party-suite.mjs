/** Tests a relying party over any store: conformance, races and failures. */

import assert from "node:assert/strict";
import { base64, FailingStore } from "./party-support.mjs";

function counts(values) {
  const table = {};
  for (const value of values) table[value] = (table[value] ?? 0) + 1;
  return table;
}

const times = (count, body) => Promise.all(Array.from({ length: count }, (_, index) => body(index)));
const ACCOUNT = new TextEncoder().encode("user 1");

/** `connect` returns two stores over one empty database. */
export async function runSuite(bench, name, connect) {
  /** Two parties, each with its own connection and limits. */
  const two = async (options) => {
    const stores = await connect();
    return Promise.all(stores.map((store) => bench.party(store, options)));
  };
  const check = (title, body) => bench.check(`${name}: ${title}`, body);
  const { device } = bench;
  const { keyID } = device;

  await check("a key registers once, and again as the same key", async () => {
    const [a, b] = await two();
    const { isNew, session, account } = await bench.register(a, { account: "user 1" });
    assert.deepEqual([isNew, account], [true, ACCOUNT]);
    assert.equal((await b.verifySession(session.token)).bundleVersion, "1.0");
    assert.deepEqual((await b.verifySession(session.token)).account, ACCOUNT);
    assert.equal((await bench.register(b, { account: "user 1" })).isNew, false);
    assert.equal(await bench.outcome(bench.register(b, { account: "user 2" })), "keyOfOtherAccount");
    const [key, ...others] = await b.keys("user 1");
    assert.deepEqual([key.keyID, key.environment, key.account, key.lastUsedAt, others], [keyID, "production", ACCOUNT, null, []]);
    assert.ok(key.receipt.length > 0);
    assert.deepEqual(await b.keys("user 1", { after: keyID }), []);
    assert.deepEqual(await b.keys("user 2"), []);
  });

  await check("a challenge that arrives twice registers once", async () => {
    const [a, b] = await two();
    const { challenge } = await a.issueChallenge({ purpose: "attestation", keyID });
    const attestation = device.attest(challenge);
    const outcomes = await times(6, (index) => bench.outcome([a, b][index % 2].register({ attestation, keyID, challenge })));
    assert.deepEqual(counts(outcomes), { accepted: 1, challengeConsumed: 5 });
  });

  await check("two challenges at once register one new key", async () => {
    const [a, b] = await two();
    const requests = await times(2, async () => {
      const { challenge } = await a.issueChallenge({ purpose: "attestation", keyID });
      return { attestation: device.attest(challenge), keyID, challenge };
    });
    const registrations = await Promise.all([a.register(requests[0]), b.register(requests[1])]);
    assert.deepEqual(counts(registrations.map(({ isNew }) => isNew)), { true: 1, false: 1 });
  });

  await check("an assertion that arrives twice is accepted once", async () => {
    const [a, b] = await two();
    await bench.register(a);
    const request = await bench.assertion(a, 1);
    const outcomes = await times(6, (index) => bench.outcome([a, b][index % 2].authenticate(request)));
    assert.deepEqual(counts(outcomes), { accepted: 1, challengeConsumed: 5 });
  });

  await check("of two assertions with one counter value one is accepted", async () => {
    const [a, b] = await two();
    await bench.register(a);
    const requests = [await bench.assertion(a, 5), await bench.assertion(b, 5)];
    const outcomes = await Promise.all([bench.outcome(a.authenticate(requests[0])), bench.outcome(b.authenticate(requests[1]))]);
    assert.deepEqual(counts(outcomes), { accepted: 1, counterNotIncreased: 1 });
    const late = await bench.refusal(a.authenticate(await bench.assertion(a, 4)));
    assert.deepEqual([late.status, late.code, late.step], [409, "overtaken", "verification"]);
    assert.equal((await a.authenticate(await bench.assertion(a, 6))).counter, 6);
    assert.equal((await b.authenticate({ ...(await bench.assertion(b, 7)) })).counter, 7);
  });

  await check("a sliding window accepts each of many assertions at once", async () => {
    const [a, b] = await two({ verifier: { counterPolicy: "slidingWindow" } });
    await bench.register(a);
    const requests = [];
    for (let counter = 1; counter <= 6; counter += 1) requests.push(await bench.assertion(a, counter));
    const twice = [...requests, ...requests.slice(0, 2)];
    const outcomes = await Promise.all(twice.map((request, index) => bench.outcome([a, b][index % 2].authenticate(request))));
    assert.deepEqual(counts(outcomes), { accepted: 6, challengeConsumed: 2 });
  });

  await check("a budget is never exceeded, and settled once", async () => {
    const [a, b] = await two({ budget: { days: 1, requests: 5, units: 1_000 } });
    const holder = { keyID, account: null };
    const spent = await times(12, async (index) => {
      const outcome = { reservation: null };
      outcome.reason = await bench.outcome([a, b][index % 2].spendBudget(100, holder).then((made) => { outcome.reservation = made; }));
      return outcome;
    });
    assert.deepEqual(counts(spent.map(({ reason }) => reason)), { accepted: 5, budgetSpent: 7 });
    const left = spent.filter(({ reservation }) => reservation).map(({ reservation }) => reservation.balance.unitsLeft);
    assert.deepEqual(left.sort((x, y) => x - y), [500, 600, 700, 800, 900]);
    const { settle } = spent.find(({ reservation }) => reservation).reservation;
    await Promise.all([settle(40), settle(40), settle(0)]);
    const refused = await bench.refusal(a.spendBudget(1, holder));
    assert.deepEqual(refused.balance, { requestsLeft: 0, unitsLeft: 560, resetsAt: refused.balance.resetsAt });
    assert.equal(refused.retryAfter, refused.balance.resetsAt - bench.now);
    bench.now = refused.balance.resetsAt;
    assert.equal((await b.spendBudget(1_000, holder)).balance.unitsLeft, 0);
  });

  await check("units race for the last of a budget, per account", async () => {
    const [a, b] = await two({ budget: { days: 30, requests: 100, units: 250, per: "account" } });
    const other = new Uint8Array(32).fill(9);
    const holderOf = (index) => ({ keyID: index < 4 ? keyID : other, account: ACCOUNT });
    const outcomes = await times(8, (index) => bench.outcome([a, b][index % 2].spendBudget(100, holderOf(index))));
    assert.deepEqual(counts(outcomes), { accepted: 2, budgetSpent: 6 });
    assert.equal(await bench.outcome(a.spendBudget(100, { keyID, account: null })), "accepted");
  });

  await check("a revocation ends sessions, also while they are verified", async () => {
    const [a, b] = await two();
    const { session } = await bench.register(a);
    const pending = await bench.assertion(b, 1);
    const during = times(6, (index) => bench.outcome([a, b][index % 2].verifySession(session.token)));
    assert.equal(await a.revoke(keyID), true);
    for (const outcome of await during) assert.ok(["accepted", "deniedToken"].includes(outcome), outcome);
    for (const party of [a, b]) assert.equal(await bench.outcome(party.verifySession(session.token)), "deniedToken");
    assert.equal(await b.revoke(keyID), false);
    assert.equal(await bench.outcome(b.authenticate(pending)), "revokedKey");
    assert.equal(await bench.outcome(bench.register(b)), "revokedKey");
  });

  await check("an account's keys are revoked together", async () => {
    const [a, b] = await two();
    const { session } = await bench.register(a, { account: "user 1" });
    assert.deepEqual(await Promise.all([a.revokeKeys("user 2"), b.revokeKeys("user 1")]), [0, 1]);
    assert.equal(await a.revokeKeys(ACCOUNT), 0);
    assert.equal(await bench.outcome(a.verifySession(session.token)), "deniedToken");
    assert.equal((await a.keys("user 1"))[0].revokedAt, bench.now);
  });

  await check("an ended session is denied by both", async () => {
    const [a, b] = await two();
    const { session } = await bench.register(a);
    await a.endSession(await b.verifySession(session.token));
    for (const party of [a, b, b]) assert.equal(await bench.outcome(party.verifySession(session.token)), "deniedToken");
  });

  await check("a token for one use passes once", async () => {
    const [a, b] = await two({ sessionUse: "once" });
    const { session } = await bench.register(a);
    const outcomes = await times(8, (index) => bench.outcome([a, b][index % 2].verifySession(session.token)));
    assert.deepEqual(counts(outcomes), { accepted: 1, tokenConsumed: 7 });
  });

  await check("expired rows go, others stay", async () => {
    const [a, b] = await two({ budget: { days: 1, requests: 5, units: 5 } });
    await bench.register(a);
    await a.spendBudget(1, { keyID, account: null });
    assert.deepEqual(await b.removeExpired(10), { tokens: 0, budgets: 0 });
    bench.now += 2 * 86_400;
    assert.deepEqual(await b.removeExpired(10), { tokens: 1, budgets: 1 });
    assert.deepEqual(await b.removeExpired(10), { tokens: 0, budgets: 0 });
    assert.equal((await bench.register(b)).isNew, false);
  });

  await check("a due receipt is claimed once, and Apple's answers move it", async () => {
    const [storeA, storeB] = await connect();
    const [a, b] = [await bench.party(storeA), await bench.party(storeB)];
    await bench.register(a, { account: "user 1" });
    for (const verifier of [{ environment: "development" }, { app: "TEST123456.com.example.other" }]) {
      assert.deepEqual(await (await bench.party(storeB, { verifier })).claimDueReceipts(10), []);
    }
    const claims = (await Promise.all([a.claimDueReceipts(10), b.claimDueReceipts(10)])).flat();
    assert.deepEqual(claims.map((key) => base64(key.keyID)), [base64(keyID)]);
    const [due] = claims;
    const state = async (status) => (await a.storeReceiptAnswer(due, { status, body: new Uint8Array() })).state;
    assert.equal(await state(500), "due");
    assert.deepEqual(await b.claimDueReceipts(10), []);
    bench.now += 600;
    assert.equal((await b.claimDueReceipts(10)).length, 1);
    assert.equal(await state(304), "notYetDue");
    assert.equal(await state(404), "gone");
    assert.equal(await state(400), "renewalRequired");
    assert.equal((await a.keys("user 1"))[0].receiptDueAt, null);
    const rejected = await bench.refusal(a.storeReceiptAnswer(due, { status: 200, body: new TextEncoder().encode("AAAA") }));
    assert.equal(rejected.step, "verification");
    assert.equal((await a.keys("user 1"))[0].receiptDueAt, bench.now + 86_400);
  });

  await runFailures(bench, check, connect);
}

/** Tests a store that fails at each call of a request in turn. */
async function runFailures(bench, check, connect) {
  const { keyID } = bench.device;

  /**
   * Runs each request of `next` twice. In the first run, the store fails, one call later for each new request. In the
   * second run, it does not fail. Returns the number of calls of a request.
   */
  async function failEach(tested, next, again = (request) => request()) {
    const { store } = tested;
    for (let number = 1;; number += 1) {
      const request = await next(number);
      store.failAt(number);
      let failed = false;
      await request().catch((error) => {
        assert.equal(error, store.error);
        failed = true;
      });
      const { calls } = store;
      store.failAt(Infinity);
      if (!failed) return calls;
      tested.failures += 1;
      await again(request, number);
    }
  }

  /** `drops` contains the decisions that the module was told to forget. */
  const failing = async (options) => {
    const [store] = await connect();
    const drops = [];
    const wrap = (exports) => ({
      ...exports,
      pure_attest_messages_drop(party, number) {
        drops.push(number);
        exports.pure_attest_messages_drop(party, number);
      },
    });
    const broken = new FailingStore(store);
    return { store: broken, drops, failures: 0, party: await bench.party(broken, { ...options, verifier: { wrap } }) };
  };

  await check("a failing store decides nothing, and the next try succeeds", async () => {
    const tested = await failing({
      budget: { days: 1, requests: 100, units: 100 },
      rates: { sessionRequestsPerKey: { burst: 3, perMinute: 1 } },
    });
    const { store, drops, party } = tested;
    const register = async () => {
      const { challenge } = await party.issueChallenge({ purpose: "attestation", keyID });
      const attestation = bench.device.attest(challenge);
      return () => party.register({ attestation, keyID, challenge });
    };
    const again = async (request, number) => {
      // For a registered key, the second store call reads the key's row. The first call has already consumed the
      // challenge.
      if (number === 2) assert.equal(await bench.outcome(request()), "challengeConsumed");
      else await request();
    };
    assert.equal(await failEach(tested, register, again), 2);
    const authenticate = async (number) => {
      const request = await bench.assertion(party, number);
      return () => party.authenticate(request);
    };
    assert.equal(await failEach(tested, authenticate), 2);
    const { session } = await party.authenticate(await bench.assertion(party, 9));
    // A failed request gives its allowance back: three requests are accepted, and the fourth is rate limited.
    assert.equal(await failEach(tested, () => () => party.verifySession(session.token)), 2);
    assert.equal(await bench.outcome(party.verifySession(session.token)), "rateLimited");
    assert.equal(await failEach(tested, () => () => party.spendBudget(1, { keyID, account: null })), 1);
    const { settle } = await party.spendBudget(5, { keyID, account: null });
    store.failAt(1);
    await assert.rejects(settle(1), store.error);
    tested.failures += 1;
    await settle(1);
    assert.equal(store.calls, 1);
    store.failAt(Infinity);
    assert.equal(await failEach(tested, () => () => party.endSession({ tokenID: new Uint8Array(16), expiresAt: bench.now })), 1);
    assert.equal(await failEach(tested, () => () => party.revoke(keyID)), 2);
    // The module dropped each failed decision exactly once.
    assert.equal(drops.length, tested.failures);
    assert.equal(new Set(drops).size, drops.length);
    const operations = [() => party.keys("a"), () => party.revokeKeys("a"), () => party.claimDueReceipts(1), () => party.removeExpired()];
    for (const operation of operations) {
      store.failAt(1);
      await assert.rejects(operation, store.error);
    }
    assert.equal(party.isBroken, false);
  });
}
