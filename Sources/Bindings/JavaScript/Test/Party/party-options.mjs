/** Tests rejected options and arguments: a misread option could accept what it should reject. */

import assert from "node:assert/strict";
import { sessionKeys } from "./party-support.mjs";

export async function runOptions(bench) {
  const { D1Store, MemoryLimits, MemoryStore, PostgreSQLStore } = bench.library;
  const keyID = new Uint8Array(32);

  await bench.check("options that are refused, by name", async () => {
    const secret = new Uint8Array(32);
    const store = new MemoryStore();
    const wrong = {
      store: [undefined, null, {}, { rows: 1 }, "memory"],
      limits: [{}, 1, { wait: true }],
      clock: [1, "now", null],
      sessionKeys: [
        undefined,
        null,
        [],
        {},
        [{ id: "1" }],
        [{ id: "", secret }],
        [{ id: "é", secret }],
        [{ id: "a b", secret }],
        [{ id: "x".repeat(65), secret }],
        [{ id: 1, secret }],
        [{ id: "1", secret: new Uint8Array(31) }],
        [{ id: "1", secret: "x".repeat(32) }],
        [{ id: "1", secret: [...secret] }],
        [{ id: "1", secret, alg: "HS256" }],
        [...sessionKeys, ...sessionKeys],
      ],
      challengeLifetime: [0, 301, 1.5, "60", NaN, null, -1, Infinity, 60n],
      sessionLifetime: [0, 86_401, "900", null],
      maximumClientData: [-1, (4 << 20) + 1, "64k"],
      maximumAttempts: [0, 1_001, null],
      sessionUse: ["Once", "", 0, null, "toString"],
      answerPolicy: ["exact", true, null],
      verifiesFirstReceipt: [1, "true", null],
      budget: [
        null,
        5,
        [],
        {},
        { days: 1, requests: 1 },
        { days: 0, requests: 1, units: 1 },
        { days: 3_661, requests: 1, units: 1 },
        { days: 1, requests: -1, units: 1 },
        { days: 1, requests: 1, units: 2 ** 53 },
        { days: 1, requests: 1, units: 1, per: "user" },
        { days: 1, requests: 1, units: 1, month: 1 },
      ],
      enrolment: [
        null,
        [],
        { perThousand: 1_001 },
        { perThousand: -1 },
        { from: 1 },
        { until: 1 },
        { from: 2, until: 1 },
        { from: 1, until: Date.now() },
        { perThousand: 1, from: 1, until: 2 },
        { name: 1 },
        { name: "\ud800" },
        { keysPerSecond: 0 },
        { keysPerSecond: 1.5 },
        { rate: 1 },
      ],
      rates: [
        null,
        [],
        { requests: null },
        { enrolmentRate: { burst: 1, perMinute: 1 } },
        { authenticationsPerKey: {} },
        { authenticationsPerKey: { burst: 0, perMinute: 1 } },
        { authenticationsPerKey: { burst: 1, perMinute: 0 } },
        { authenticationsPerKey: { burst: 1, perMinute: 2 ** 32 } },
        { authenticationsPerKey: { burst: 1, perHour: 1 } },
        { authenticationsPerKey: 5 },
      ],
      sessionKey: [sessionKeys],
      challengeLifeTime: [60],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const error = await bench.party(store, { [name]: value }).then(() => undefined, (error) => error);
        const isNamed = error instanceof TypeError && new RegExp(name === "sessionKeys" ? "sessionKeys|secret" : name).test(error.message);
        assert.ok(isNamed, `${name}: ${String(value)}: ${error}`);
      }
    }
    assert.throws(() => new D1Store({}), TypeError);
    assert.throws(() => new PostgreSQLStore({}), TypeError);
    // A store must not interpret an error value as an empty result, because an ended session would then be accepted.
    for (const result of [undefined, null, {}, { data: null, error: "timeout" }, { rows: null }, { rows: {} }, "", 1]) {
      await assert.rejects(new PostgreSQLStore(async () => result).rows("selectConsumed", [new Uint8Array(16)]), TypeError);
      const statement = { bind: () => statement, all: async () => result, run: async () => result };
      const d1 = new D1Store({ prepare: () => statement, batch: async (statements) => statements.map(() => result) });
      for (const [operation, parameters] of [["selectConsumed", 1], ["insertKey", 9]]) {
        await assert.rejects(d1.rows(operation, Array(parameters).fill(new Uint8Array(16))), TypeError, operation);
      }
    }
    // A concurrent process may create a table at the same time.
    const conflicts = new Set();
    await new PostgreSQLStore(async (text) => {
      if (conflicts.size < conflicts.add(text).size) throw new Error("23505");
      return [];
    }).createTables();
    const made = await bench.party(store);
    assert.throws(() => made.with({ store, limit: null }), TypeError);
    assert.throws(() => new MemoryStore({ capacity: 5 }), TypeError);
    assert.throws(() => new MemoryLimits({ capacity: "5" }), TypeError);
    await assert.rejects(() => store.rows("toString", []), TypeError);
    await assert.rejects(() => store.rows("dropTables", []), TypeError);
  });

  await bench.check("options that are accepted", async () => {
    const secret = new Uint8Array(33).fill(1);
    await bench.party(new MemoryStore(), {
      sessionKeys: [{ id: "A-z_0.9", secret: secret.buffer }, { id: "2", secret }],
      challengeLifetime: 300,
      sessionLifetime: 86_400,
      sessionUse: "once",
      maximumClientData: 0,
      maximumAttempts: 1,
      verifiesFirstReceipt: true,
      answerPolicy: "uniform",
      limits: null,
      clock: () => new Date(bench.now * 1_000),
      budget: { days: 3_660, requests: 0, units: Number.MAX_SAFE_INTEGER, per: "account" },
      enrolment: { from: new Date(0), until: 5, name: "€", keysPerSecond: 1 },
      rates: { authenticationsPerKey: null, failuresPerAccount: undefined },
    });
  });

  await bench.check("arguments that are refused, by name", async () => {
    const party = await bench.party(new MemoryStore());
    const challenge = { purpose: "assertion", keyID };
    const signed = { assertion: keyID, keyID, challenge: keyID };
    const wrong = [
      [() => party.issueChallenge({ ...challenge, purpose: "login" }), /purpose/],
      [() => party.issueChallenge({ ...challenge, purpose: undefined }), /purpose/],
      [() => party.issueChallenge({ ...challenge, keyID: "AA==" }), /keyID/],
      [() => party.issueChallenge({ purpose: "assertion", keyId: keyID }), /keyId/],
      [() => party.issueChallenge({ ...challenge, user: "user 1" }), /user/],
      [() => party.issueChallenge({ ...challenge, account: "\ud800" }), /account/],
      [() => party.issueChallenge({ ...challenge, account: 5 }), /account/],
      [() => party.issueChallenge({ ...challenge, clientAddress: "localhost" }), /clientAddress/],
      [() => party.issueChallenge({ ...challenge, clientAddress: "192.0.2.01" }), /clientAddress/],
      [() => party.issueChallenge({ ...challenge, clientAddress: "192.0.2.1:80" }), /clientAddress/],
      [() => party.issueChallenge({ ...challenge, clientAddress: "2001:db8::1%eth0" }), /clientAddress/],
      [() => party.issueChallenge({ ...challenge, clientAddress: "" }), /clientAddress/],
      [() => party.issueChallenge({ ...challenge, now: Date.now() }), /now/],
      [() => party.register({ attestation: "", keyID, challenge: keyID }), /attestation/],
      [() => party.register({ attestation: new Uint16Array(4), keyID, challenge: keyID }), /attestation/],
      [() => party.register({ attestation: keyID, keyID, challenge: [1] }), /challenge/],
      [() => party.authenticate({ ...signed, request: { method: "GET", target: "/" } }), /request.body/],
      [() => party.authenticate({ ...signed, request: { method: "GET", target: "/", body: keyID, url: "" } }), /url/],
      [() => party.authenticate({ ...signed, request: null }), /request/],
      [() => party.verifySession(5), /token/],
      [() => party.verifySession("", { time: 5 }), /time/],
      [() => party.endSession({ tokenID: keyID, expiresAt: 5 }), /tokenID/],
      [() => party.endSession({ tokenID: new Uint8Array(16), expiresAt: "5" }), /expiresAt/],
      [() => party.unattestedSession(undefined), /clientAddress/],
      [() => party.spendBudget(1.5, { keyID, account: null }), /units/],
      [() => party.spendBudget("1", { keyID, account: null }), /units/],
      [() => party.spendBudget(1, { keyID: new Uint8Array(31), account: null }), /keyID/],
      [() => party.revoke(new Uint8Array(31)), /keyID/],
      [() => party.revokeKeys(null), /account/],
      [() => party.keys("x".repeat(257)), /account/],
      [() => party.keys("x", { limit: 0 }), /limit/],
      [() => party.keys("x", { after: new Uint8Array() }), /keyID/],
      [() => party.claimDueReceipts(1_001), /limit/],
      [() => party.removeExpired("all"), /limit/],
      [() => party.storeReceiptAnswer({}, { status: 200, body: keyID }), /due/],
    ];
    for (const [call, message] of wrong) {
      await assert.rejects(call, (error) => error instanceof TypeError && message.test(error.message), String(call));
    }
    assert.equal(party.isBroken, false);
    for (const clientAddress of ["fe80::1%eth0", "::", "1:2:3:4:5:6:7:8", "::192.0.2.1"]) {
      await party.issueChallenge({ ...challenge, clientAddress });
    }
  });
}
