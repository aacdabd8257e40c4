/** Tests every rejection that a client can cause, and faults of stores, limits and instances. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Device, sessionKeys } from "./party-support.mjs";

const flipped = (bytes, index) => bytes.map((byte, at) => (at === index ? byte ^ 1 : byte));

export async function runCases(bench) {
  const { MemoryStore } = bench.library;
  const { device } = bench;
  const { keyID } = device;
  const check = (title, body) => bench.check(title, body);
  const party = (options, store = new MemoryStore()) => bench.party(store, options);
  /** Fails unless a request is rejected with this reason, status and code. */
  const is = async (promise, reason, status, code) => {
    const refusal = await bench.refusal(promise);
    assert.deepEqual([refusal.reason, refusal.status, refusal.code], [reason, status, code]);
    return refusal;
  };
  const refused = (promise, reason) => is(promise, reason, 401, "refused");
  const notIssued = (promise) => is(promise, "challengeNotIssued", 409, "replay");
  const limited = (promise) => is(promise, "rateLimited", 429, "tooManyRequests");

  await check("challenges of others, of another purpose, and altered ones", async () => {
    const a = await party();
    const other = new Uint8Array(32).fill(1);
    const { challenge } = await a.issueChallenge({ purpose: "attestation", keyID, account: "user 1" });
    const attestation = device.attest(challenge);
    const register = (change, by = a) => by.register({ attestation, keyID, challenge, account: "user 1", ...change });
    await refused(register({ keyID: other }), "challengeOfOtherKey");
    await refused(register({ account: "user 2" }), "challengeOfOtherAccount");
    await refused(register({ account: undefined }), "challengeOfOtherAccount");
    await refused(a.authenticate({ assertion: new Uint8Array(), keyID, challenge, account: "user 1" }), "challengeOfOtherPurpose");
    for (let index = 0; index < challenge.length; index += 1) {
      await notIssued(register({ challenge: flipped(challenge, index) }));
    }
    for (const wrong of [new Uint8Array(), challenge.slice(1), new Uint8Array([...challenge, 0]), new Uint8Array(1 << 20)]) {
      await refused(register({ challenge: wrong }), "malformedRequest");
    }
    await notIssued(register({}, await party({ sessionKeys: [{ id: "1", secret: new Uint8Array(32).fill(8) }] })));
    await notIssued(register({}, await party({ verifier: { environment: "development" } })));
    await notIssued(register({}, await party({ verifier: { app: "TEST123456.com.example.other" } })));
    bench.now += 60;
    await is(register(), "challengeExpired", 409, "replay");
    bench.now -= 60;
    // None of the rejections consumed the challenge. A challenge under a former session key is still accepted.
    const rotated = await party({ sessionKeys: [{ id: "2", secret: new Uint8Array(40).fill(8) }, ...sessionKeys] });
    assert.equal((await register({}, rotated)).isNew, true);
  });

  await check("objects that are too large or not objects", async () => {
    const a = await party();
    const { challenge } = await a.issueChallenge({ purpose: "attestation", keyID });
    const register = (attestation, change) => a.register({ attestation, keyID, challenge, ...change });
    await refused(register(new Uint8Array(65_537)), "malformedRequest");
    await refused(register(new Uint8Array(64 << 20)), "malformedRequest");
    assert.ok(a.verifier.memorySize < 1 << 20, `${a.verifier.memorySize} bytes of memory`);
    for (const rubbish of [new Uint8Array(), new Uint8Array(65_536), Uint8Array.of(0xa3, 0x63)]) {
      assert.equal((await bench.refusal(register(rubbish))).step, "verification");
    }
    for (const wrong of [new Uint8Array(31), new Uint8Array(33), new Uint8Array(1_000)]) {
      await refused(register(new Uint8Array(), { keyID: wrong }), "malformedRequest");
      await refused(a.issueChallenge({ purpose: "assertion", keyID: wrong }), "malformedRequest");
    }
    await refused(register(device.attest(new Uint8Array(92))), "nonceMismatch");
    await refused(a.issueChallenge({ purpose: "assertion", keyID, account: "x".repeat(257) }), "malformedRequest");
    await a.issueChallenge({ purpose: "assertion", keyID, account: "é".repeat(128) });
    // The device's attestation chains to a different test authority, which this verifier does not trust.
    const stranger = new Device(bench, 2);
    const issued = await a.issueChallenge({ purpose: "attestation", keyID: stranger.keyID });
    const foreign = { attestation: stranger.attest(issued.challenge), keyID: stranger.keyID, challenge: issued.challenge };
    const refusal = await bench.refusal(a.register(foreign));
    assert.deepEqual([refusal.reason, typeof refusal.detail], ["certificate", "string"]);
  });

  await check("assertions of unknown keys, of other accounts, and altered ones", async () => {
    const a = await party({ rates: { failuresPerAccount: null } });
    await is(a.authenticate(await bench.assertion(a, 1)), "unknownKey", 401, "unknownKey");
    await bench.register(a, { account: "user 1" });
    const request = await bench.assertion(a, 1, { account: "user 1" });
    await refused(a.authenticate({ ...request, assertion: new Uint8Array(4_097) }), "malformedRequest");
    assert.equal((await bench.refusal(a.authenticate({ ...request, assertion: new Uint8Array(4_096) }))).step, "verification");
    for (let index = 0; index < request.assertion.length; index += 5) {
      const altered = await bench.refusal(a.authenticate({ ...request, assertion: flipped(request.assertion, index) }));
      assert.equal(altered.step, "verification");
    }
    await refused(a.authenticate(await bench.assertion(a, 1, { account: "user 2" })), "keyOfOtherAccount");
    // The assertion signed a different challenge.
    const { challenge } = await a.issueChallenge({ purpose: "assertion", keyID, account: "user 1" });
    const moved = await bench.refusal(a.authenticate({ ...request, challenge }));
    assert.deepEqual([moved.step, moved.status], ["verification", 401]);
    assert.equal((await a.authenticate(request)).counter, 1);
  });

  await check("signed requests: every part counts", async () => {
    const a = await party();
    await bench.register(a);
    const signed = { method: "POST", target: "/pay?to=a", body: new TextEncoder().encode("{}") };
    const request = await bench.assertion(a, 1, { request: signed });
    for (const change of [{ method: "PUT" }, { target: "/pay?to=b" }, { body: new Uint8Array() }]) {
      assert.equal((await bench.refusal(a.authenticate({ ...request, request: { ...signed, ...change } }))).step, "verification");
    }
    const { request: _, ...unsigned } = request;
    assert.equal((await bench.refusal(a.authenticate(unsigned))).step, "verification");
    const large = { ...signed, body: new Uint8Array(65_536 - 13) };
    await refused(a.authenticate({ ...request, request: { ...large, body: new Uint8Array(65_536 - 12) } }), "malformedRequest");
    await refused(a.authenticate({ ...request, request: { ...large, target: `/${"a".repeat(65_536)}` } }), "malformedRequest");
    assert.equal((await bench.refusal(a.authenticate({ ...request, request: large }))).step, "verification");
    assert.equal((await a.authenticate(request)).counter, 1);
  });

  await check("tokens: rubbish, of others, expired, of the other tier", async () => {
    const a = await party();
    const { session: { token, expiresAt } } = await bench.register(a);
    const rubbish = [
      undefined,
      null,
      "",
      ".",
      "..",
      "a.b.c",
      token.slice(0, -1),
      `${token}A`,
      ` ${token}`,
      token.replace(".", ""),
      "\ud800",
      "x".repeat(1 << 20),
      new Uint8Array(2_049),
      new Uint8Array(),
      `${token.split(".").slice(0, 2).join(".")}.`,
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`,
    ];
    for (const text of rubbish) {
      await refused(a.verifySession(text), "invalidToken");
      await refused(a.verifyUnattestedSession(text), "invalidToken");
    }
    for (let index = 0; index < token.length; index += 17) {
      const altered = `${token.slice(0, index)}${token[index] === "A" ? "B" : "A"}${token.slice(index + 1)}`;
      await refused(a.verifySession(altered), "invalidToken");
    }
    const unattested = await a.unattestedSession("192.0.2.1");
    await refused(a.verifySession(unattested.token), "invalidToken");
    await refused(a.verifyUnattestedSession(token), "invalidToken");
    assert.equal((await a.verifyUnattestedSession(unattested.token)).expiresAt, unattested.expiresAt);
    await refused((await party({ sessionKeys: [{ id: "1", secret: new Uint8Array(32) }] })).verifySession(token), "invalidToken");
    await refused((await party({ verifier: { environment: "development" } })).verifySession(token), "tokenOfOtherEnvironment");
    const other = await party({ verifier: { app: "TEST123456.com.example.other" } });
    await refused(other.verifySession(token), "tokenOfOtherAudience");
    await refused(other.verifyUnattestedSession(unattested.token), "tokenOfOtherAudience");
    bench.now = expiresAt;
    await refused(a.verifySession(token), "expiredToken");
    await refused(a.verifyUnattestedSession(unattested.token), "expiredToken");
  });

  await check("limits", async () => {
    const rates = {
      requestsPerClientAddress: { burst: 2, perMinute: 1 },
      failuresPerAccount: { burst: 1, perMinute: 1 },
      authenticationsPerKey: { burst: 1, perMinute: 1 },
      sessionRequestsPerKey: { burst: 1, perMinute: 1 },
      enrolmentsPerAccount: { burst: 1, perMinute: 1 },
      unattestedRequestsPerClientAddress: { burst: 1, perMinute: 1 },
    };
    const a = await party({ rates });
    const ask = (clientAddress, account) => a.issueChallenge({ purpose: "assertion", keyID, account, clientAddress });
    await ask("2001:db8::1");
    await ask("2001:db8::2");
    assert.equal((await limited(ask("2001:0db8:0:0:ffff::"))).retryAfter, 60);
    await ask("2001:db8:1::");
    await ask("192.0.2.1");
    await ask("::ffff:192.0.2.1");
    await limited(ask(Uint8Array.of(4, 192, 0, 2, 1)));
    bench.now += 60;
    await ask("192.0.2.1");
    const { session } = await bench.register(a, { account: "user 1" });
    await limited(a.issueChallenge({ purpose: "attestation", keyID, account: "user 1" }));
    await a.verifySession(session.token);
    await limited(a.verifySession(session.token));
    await a.authenticate(await bench.assertion(a, 1, { account: "user 1" }));
    await limited(a.authenticate(await bench.assertion(a, 2, { account: "user 1" })));
    const fail = async () => {
      const { challenge } = await ask(undefined, "user 1");
      return a.authenticate({ assertion: new Uint8Array(), keyID, challenge, account: "user 1" });
    };
    assert.equal((await bench.refusal(fail())).step, "verification");
    await limited(fail());
    await a.unattestedSession("192.0.2.1");
    await limited(a.unattestedSession("192.0.2.1"));
    const unlimited = await party({ limits: null, rates });
    for (let count = 0; count < 5; count += 1) await unlimited.issueChallenge({ purpose: "assertion", keyID, clientAddress: "192.0.2.1" });
    const crowded = await party({
      limits: new bench.library.MemoryLimits({ capacity: 2 }),
      rates: { requestsPerClientAddress: { burst: 1, perMinute: 1 } },
    });
    const from = (last) => crowded.issueChallenge({ purpose: "assertion", keyID, clientAddress: `192.0.2.${last}` });
    for (const last of [1, 2, 3]) await from(last);
    await limited(from(4));
    bench.now += 60;
    await from(4);
  });

  await check("enrolment, contention, uniform answers", async () => {
    const attest = (by, account) => by.issueChallenge({ purpose: "attestation", keyID, account });
    await is(attest(await party({ enrolment: { perThousand: 0 } })), "enrolmentDeferred", 429, "enrolLater");
    await attest(await party({ enrolment: { perThousand: 1_000, name: "b" } }));
    const gradual = await party({ enrolment: { from: bench.now + 100, until: new Date((bench.now + 200) * 1_000) } });
    assert.ok((await is(attest(gradual, "user 1"), "enrolmentDeferred", 429, "enrolLater")).retryAfter >= 100);
    const slow = await party({ enrolment: { keysPerSecond: 1 } });
    await attest(slow);
    await is(attest(slow), "enrolmentDeferred", 429, "enrolLater");
    await attest(await party({ enrolment: { keysPerSecond: null }, rates: { enrolmentsPerAccount: null } }), "user 1");

    const store = new MemoryStore();
    const contended = { rows: async (name, parameters) => (name === "recordUse" ? [[0]] : store.rows(name, parameters)) };
    await bench.register(await party({}, store));
    const busy = await party({ maximumAttempts: 3 }, contended);
    assert.equal((await is(busy.authenticate(await bench.assertion(busy, 1)), "contended", 429, "tooManyRequests")).retryAfter, 1);

    const uniform = await party({ answerPolicy: "uniform" });
    await refused(uniform.authenticate(await bench.assertion(uniform, 1)), "unknownKey");
    const { challenge } = await attest(uniform);
    const once = { attestation: device.attest(challenge), keyID, challenge };
    await uniform.register(once);
    await refused(uniform.register(once), "challengeConsumed");
    const budget = await party({ answerPolicy: "uniform" });
    await is(budget.spendBudget(0, { keyID, account: null }), "budgetSpent", 429, "budgetSpent");
  });

  await runFaults(bench, check, party);
}

/** A fault of a store, of limits or of an instance must cause an error and no verdict. */
async function runFaults(bench, check, party) {
  const { BrokenInstanceError, MemoryStore, StoreError } = bench.library;
  const { device } = bench;
  const { keyID } = device;

  await check("a due row that cannot be read does not hold back the others", async () => {
    const store = new MemoryStore();
    await bench.register(await party({}, store));
    let spoil = (rows) => rows;
    const a = await party({}, { rows: async (name, parameters) => spoil(await store.rows(name, parameters)) });
    const damaged = ([record, ...columns]) => [Uint8Array.of(9, ...record), ...columns];
    spoil = (rows) => [...rows.map(damaged), ...rows];
    assert.deepEqual((await a.claimDueReceipts(10)).map((due) => due.keyID), [keyID]);
    bench.now += 600;
    spoil = (rows) => rows.map(damaged);
    await assert.rejects(a.claimDueReceipts(10), (error) => error instanceof StoreError);
  });

  await check("malformed rows are errors, and not verdicts", async () => {
    const store = new MemoryStore();
    let spoil;
    const a = await party({
      budget: { days: 1, requests: 9, units: 9 },
      rates: { enrolmentsPerAccount: null, authenticationsPerKey: null },
    }, {
      rows: async (name, parameters) => {
        if (spoil?.name !== name) return store.rows(name, parameters);
        // The test store does not execute a spoilt write, so that the last call of the operation can succeed.
        return spoil.rows(name.startsWith("select") ? await store.rows(name, parameters) : [[1]]);
      },
    });
    const { session } = await bench.register(a, { account: "user 1" });
    const request = await bench.assertion(a, 1);
    const operations = {
      insertKey: () => bench.register(a, { account: "user 1" }),
      recordUse: () => a.authenticate(request),
      selectKey: () => a.verifySession(session.token),
      spendBudget: () => a.spendBudget(1, { keyID, account: null }),
      selectKeys: () => a.keys("user 1"),
    };
    const spoilt = [
      () => undefined,
      () => ({}),
      () => "x",
      () => [undefined],
      () => [{}],
      () => [[]],
      () => [[], [1]],
      () => [["\\x00"]],
      () => [[1.5]],
      () => [[true]],
      () => [[null]],
      () => [[undefined]],
      () => [[2n]],
      () => [[99]].concat([]),
      () => [[{}]],
      ([row]) => [row.map((value) => (value instanceof Uint8Array ? value.slice(1) : value === null ? null : String(value)))],
    ];
    for (const [name, operation] of Object.entries(operations)) {
      for (const [index, rows] of spoilt.entries()) {
        if (name === "spendBudget" && rows.toString().includes("99")) continue;
        spoil = { name, rows };
        const error = await operation().then(() => assert.fail(`${name} ${index}`), (error) => error);
        const isTypeError = name === "selectKeys" && error instanceof TypeError;
        assert.ok(isTypeError || (error instanceof StoreError && error.operation === name), `${name} ${index}: ${error}`);
      }
      spoil = undefined;
      assert.equal(await bench.outcome(operation()), "accepted", name);
    }
    assert.equal(a.isBroken, false);
  });

  await check("failing limits decide nothing", async () => {
    const outage = new Error("no limits");
    let answer = async () => { throw outage; };
    const a = await party({ limits: { wait: (question) => answer(question) } });
    const ask = () => a.issueChallenge({ purpose: "assertion", keyID, clientAddress: "192.0.2.1" });
    await assert.rejects(ask, outage);
    for (const wrong of ["1", 1.5, -1, undefined, NaN, true]) {
      answer = async () => wrong;
      await assert.rejects(ask, TypeError);
    }
    answer = async () => 7;
    assert.equal((await bench.refusal(ask())).retryAfter, 7);
    answer = async () => null;
    await ask();
  });

  await check("calls at the same time do not mix", async () => {
    const store = new MemoryStore();
    let delay = 0;
    const slow = {
      rows: async (name, parameters) => {
        await new Promise((resolve) => setTimeout(resolve, delay = (delay * 7 + 3) % 11));
        return store.rows(name, parameters);
      },
    };
    const a = await party({ budget: { days: 1, requests: 100, units: 1_000_000 } }, slow);
    const second = new Device(bench, 2);
    const b = await bench.party(store, { verifier: { device: second } });
    const [one, two] = [await bench.register(a, { account: "user 1" }), await bench.register(b, { device: second, account: "user 2" })];
    await Promise.all(Array.from({ length: 40 }, async (_, index) => {
      const [registered, account, id] = index % 2 ? [one, "user 1", keyID] : [two, "user 2", second.keyID];
      const session = await a.verifySession(registered.session.token);
      assert.deepEqual([new TextDecoder().decode(session.account), session.keyID], [account, id]);
      const [key] = await a.keys(account);
      assert.deepEqual(key.keyID, id);
      assert.equal((await a.spendBudget(index, session)).units, index);
      assert.equal((await bench.refusal(a.verifySession("rubbish"))).reason, "invalidToken");
    }));
  });

  await check("after a trap every call says so", async () => {
    const store = new MemoryStore();
    let trap = false;
    const wrap = (exports) => ({
      ...exports,
      // When `trap` is set, passes an address outside the memory, which makes the module trap.
      pure_attest_messages_answer: (party, ...values) => exports.pure_attest_messages_answer(trap ? 0x7fff_fff0 : party, ...values),
    });
    const a = await party({ verifier: { wrap } }, store);
    const { session } = await bench.register(a);
    const waiting = a.verifySession(session.token);
    trap = true;
    await assert.rejects(waiting, WebAssembly.RuntimeError);
    trap = false;
    assert.equal(a.isBroken, true);
    const calls = [
      () => a.verifySession(session.token),
      () => a.issueChallenge({ purpose: "assertion", keyID }),
      () => a.revoke(keyID),
      () => a.keys("user 1").then(() => a.verifySession("")),
      () => a.spendBudget(1, { keyID, account: null }),
      () => a.unattestedSession("192.0.2.1"),
      () => a.endSession({ tokenID: new Uint8Array(16), expiresAt: 1 }),
    ];
    for (const call of calls) await assert.rejects(call, BrokenInstanceError);
    // A different party on the same store still works.
    assert.equal(await bench.outcome((await party({}, store)).verifySession(session.token)), "accepted");
  });

  await check("a store in memory without room", async () => {
    const a = await party({}, new MemoryStore({ keys: 1, consumed: 2 }));
    const { session } = await bench.register(a);
    await a.endSession(await a.verifySession(session.token));
    await assert.rejects(a.authenticate(await bench.assertion(a, 1)), /no room/);
    assert.equal(await bench.outcome(a.verifySession(session.token)), "deniedToken");
    bench.now += 5_000;
    assert.equal(await bench.outcome(a.authenticate(await bench.assertion(a, 1))), "accepted");
  });
}
