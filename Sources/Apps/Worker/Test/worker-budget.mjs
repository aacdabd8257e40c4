// Tests the budgets of keys and accounts: node worker-budget.mjs TEST_MODULE PURE_ATTEST.
import assert from "node:assert/strict";
import { RelyingParty } from "../../../Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { D1Store } from "../../../Bindings/JavaScript/RelyingParty/stores.mjs";
import { budgetOf, sessionKeys } from "../settings.mjs";
import { check, clock, database, env, handlerFor, log, rows, runChecks, secondDatabase, start, verifierFor } from "./worker-support.mjs";

const DAY = 86_400;

await runChecks("the Worker's budgets", async () => {
  const keyIDs = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
  const endOfDay = (time) => (Math.floor(time / DAY) + 1) * DAY;
  const row = (keyID, { days = 1, environment = 1, endsAt = endOfDay(clock.now) } = {}) => database.prepare(
    "SELECT requests, units FROM budget_periods WHERE holder = ?1 AND ends_at = ?2",
  ).bind(Uint8Array.of(1, environment, days >> 8, days & 255, ...keyID).buffer, endsAt).first();
  const clear = () => database.prepare("DELETE FROM budget_periods").run();
  const who = { keyID: keyIDs[0], account: null };
  const spent = (spending) => spending.then(({ balance }) => balance, (error) => error.reason ?? error);
  const verifiers = {};
  for (const environment of ["production", "development"]) verifiers[environment] = await verifierFor({ environment });
  const partyOf = (BUDGET, { environment = "production" } = {}) => {
    const settings = { sessionKeys: sessionKeys(env), budget: budgetOf(BUDGET), clock: () => clock.now };
    const party = new RelyingParty(verifiers[environment], { store: new D1Store(database), ...settings });
    return { spend: (who, units, now) => party.spendBudget(units, who, { now }), over: (at) => party.with({ store: new D1Store(at) }) };
  };

  await check("a request is admitted only while requests and units suffice, also as the first of a period", async () => {
    const budget = partyOf({ days: 1, requests: 2, units: 100 });
    assert.equal(await spent(budget.spend(who, 101, start)), "budgetSpent");
    assert.equal(await rows("budget_periods"), 0);
    const resetsAt = endOfDay(start);
    assert.deepEqual(await spent(budget.spend(who, 60, start)), { requestsLeft: 1, unitsLeft: 40, resetsAt });
    assert.equal(await spent(budget.spend(who, 41, start)), "budgetSpent");
    assert.deepEqual(await spent(budget.spend(who, 40, start)), { requestsLeft: 0, unitsLeft: 0, resetsAt });
    await assert.rejects(budget.spend(who, 0, start), ({ reason, retryAfter, balance }) => {
      assert.deepEqual([reason, retryAfter, balance], ["budgetSpent", resetsAt - start, { requestsLeft: 0, unitsLeft: 0, resetsAt }]);
      return true;
    });
    assert.equal((await spent(budget.spend({ ...who, keyID: keyIDs[1] }, 100, start))).unitsLeft, 0);
    for (const none of [{ requests: 0, units: 100 }, { requests: 5, units: 0 }]) {
      assert.equal(await spent(partyOf({ days: 1, ...none }).spend({ ...who, keyID: keyIDs[2] }, 1, start)), "budgetSpent");
    }
    await clear();
  });

  await check("a period begins at the same second for all keys, and settling changes the reservation's period", async () => {
    const budget = partyOf({ days: 7, requests: 1, units: 100 });
    const boundary = (Math.floor(start / (7 * DAY)) + 1) * 7 * DAY;
    const last = await budget.spend(who, 100, boundary - 1);
    assert.equal(last.balance.resetsAt, boundary);
    await assert.rejects(budget.spend(who, 1, boundary - 1), ({ retryAfter }) => retryAfter === 1);
    const next = await budget.spend(who, 100, boundary);
    assert.equal(next.balance.resetsAt, boundary + 7 * DAY);
    await last.settle(10);
    assert.deepEqual(await row(who.keyID, { days: 7, endsAt: boundary }), { requests: 1, units: 10 });
    assert.deepEqual(await row(who.keyID, { days: 7, endsAt: boundary + 7 * DAY }), { requests: 1, units: 100 });
    await clear();
  });

  await check("a reservation is settled once, down or up, even beyond the limit, but never below zero", async () => {
    const budget = partyOf({ days: 1, requests: 100, units: 1_000 });
    const reserve = (units) => budget.spend(who, units, start);
    const first = await reserve(400);
    await first.settle(150);
    assert.deepEqual(await row(who.keyID), { requests: 1, units: 150 });
    await first.settle(0);
    assert.deepEqual(await row(who.keyID), { requests: 1, units: 150 });
    await (await reserve(100)).settle(2_000);
    assert.equal((await row(who.keyID)).units, 2_150);
    assert.equal(await spent(reserve(0)), "budgetSpent");
    // After a manual change or a restored backup, a row may contain less than the reservation.
    await clear();
    const other = await reserve(500);
    await database.prepare("UPDATE budget_periods SET units = 1").run();
    await other.settle(0);
    assert.deepEqual(await row(who.keyID), { requests: 1, units: 0 });
    for (const used of [undefined, NaN, -1, 1.5, "5", 2 ** 53]) await assert.rejects((await reserve(10)).settle(used), TypeError);
    await (await reserve(10)).settle(null);
    assert.deepEqual(await row(who.keyID), { requests: 8, units: 70 });
    const cleaned = await reserve(10);
    await clear();
    await cleaned.settle(5);
    assert.equal(await rows("budget_periods"), 0);
  });

  await check("the largest numbers do not overflow", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const budget = partyOf({ days: 3_660, requests: most, units: most });
    const all = await Promise.all([1, 2, 3].map(() => budget.spend(who, 0, start)));
    const whole = await budget.spend(who, most, 253_402_300_799);
    assert.equal(await spent(budget.spend(who, 1, 253_402_300_799)), "budgetSpent");
    for (const reservation of [...all, whole]) await reservation.settle(most);
    assert.equal((await database.prepare("SELECT max(units) AS units FROM budget_periods").first()).units, most);
    for (const units of [-1, 1.5, NaN, 2 ** 53, "1", undefined]) {
      await assert.rejects(budget.spend(who, units, start), { name: "TypeError", message: `units: a whole number up to ${most}` }, String(units));
    }
    await clear();
  });

  await check("two Workers together admit only as many concurrent requests as the budget allows", async () => {
    const budget = partyOf({ days: 1, requests: 7, units: 1_000 });
    const race = (budget, units) => Promise.all(Array.from(
      { length: 24 }, (_, index) => spent(budget.over(index % 2 ? database : secondDatabase).spendBudget(units, who, { now: start }))));
    const both = await race(budget, 1);
    assert.equal(both.filter((answer) => answer !== "budgetSpent").length, 7);
    await clear();
    const byUnits = partyOf({ days: 1, requests: 1_000, units: 10 });
    const answers = await race(byUnits, 3);
    assert.equal(answers.filter((answer) => answer !== "budgetSpent").length, 3);
    assert.deepEqual(await row(who.keyID), { requests: 3, units: 9 });
    await clear();
  });

  await check("an account's keys can share a budget, and a key without an account has its own", async () => {
    const account = new Uint8Array(32).fill(1);
    const budget = partyOf({ days: 1, requests: 1, units: 10, per: "account" });
    assert.equal((await spent(budget.spend({ ...who, keyID: keyIDs[1], account }, 1, start))).requestsLeft, 0);
    assert.equal(await spent(budget.spend({ ...who, keyID: keyIDs[2], account }, 1, start)), "budgetSpent");
    assert.equal((await spent(budget.spend(who, 1, start))).requestsLeft, 0);
    const byKey = partyOf({ days: 1, requests: 1, units: 10 });
    assert.equal((await spent(byKey.spend({ ...who, keyID: keyIDs[2], account }, 1, start))).requestsLeft, 0);
    await clear();
  });

  await check("environments and period lengths have separate rows", async () => {
    const parties = [];
    for (const days of [1, 30, 3_660]) for (const environment of ["production", "development"]) parties.push([days, environment]);
    const ends = new Map();
    for (const [days, environment] of parties) {
      const { balance } = await partyOf({ days, requests: 10, units: 1_000 }, { environment }).spend(who, 900, start);
      ends.set(`${days} ${environment}`, balance.resetsAt);
      assert.deepEqual([balance.unitsLeft, balance.resetsAt % (days * DAY)], [100, 0]);
    }
    assert.equal(await rows("budget_periods"), 6);
    // A relying party with any period length removes only rows of ended periods. On each of 40 days, the rows of current
    // periods stay.
    for (let day = 1; day <= 40; day += 1) {
      clock.now = start + day * DAY;
      for (const BUDGET of [{ days: 1, requests: 1, units: 1 }, { days: 30, requests: 1, units: 1 }, undefined]) {
        await handlerFor().scheduled({}, { ...env, ...(BUDGET && { BUDGET }) });
      }
      const lasting = [...ends.values()].filter((end) => end > clock.now - 300).length;
      assert.equal(await rows("budget_periods"), lasting, String(day));
      for (const [days, environment] of parties.filter(([days]) => days === 3_660)) {
        assert.equal(await spent(partyOf({ days, requests: 10, units: 1_000 }, { environment }).spend(who, 101, clock.now)), "budgetSpent");
      }
    }
    assert.equal(await rows("budget_periods"), 2);
    await clear();
  });

  await check("the schedule removes only past periods, in batches", async () => {
    const filler = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20500) "
      + "INSERT INTO budget_periods SELECT CAST('filler' || i AS BLOB), ?1, 1, 1 FROM n";
    await database.prepare(filler).bind(endOfDay(start) - DAY).run();
    await partyOf({ days: 1, requests: 1, units: 1 }).spend(who, 1, start);
    await handlerFor().scheduled({}, env);
    assert.deepEqual(log.at(-1), { route: "scheduled", table: "budget_periods", removed: 20_000 });
    await handlerFor().scheduled({}, env);
    assert.deepEqual([await rows("budget_periods"), await row(who.keyID)], [1, { requests: 1, units: 1 }]);
    // Rows of ended periods stay for 300 seconds, because another relying party's clock may be slow.
    for (const [seconds, left] of [[299, 1], [300, 0]]) {
      clock.now = endOfDay(start) + seconds;
      await handlerFor().scheduled({}, env);
      assert.equal(await rows("budget_periods"), left);
    }
  });

  await check("malformed budgets are rejected", () => {
    const right = { days: 1, requests: 1, units: 1 };
    for (const changes of [
      { days: 0 }, { days: 1.5 }, { days: "1" }, { days: 3_661 }, { requests: -1 }, { requests: 2 ** 53 }, { requests: undefined }, { units: NaN },
      { units: null }, { per: "device" }, { per: "toString" }, { unit: 5 },
    ]) assert.throws(() => budgetOf({ ...right, ...changes }), TypeError, JSON.stringify(changes));
  });
});
