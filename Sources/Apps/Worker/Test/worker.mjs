// Tests the sample Worker in Node: node worker.mjs TEST_MODULE PURE_ATTEST. The store is SQLite behind D1's interface,
// the clients are virtual devices of `pure-attest simulate`, and answers must match the service's openapi.json.
import assert from "node:assert/strict";
import { createHandler } from "../handler.mjs";
import {
  appID, assertion, attestation, bearer, blob, challenge, check, claimsOf, clock, database, enrolled, env, handler, handlerFor, is, log,
  open, post, request, rows, runChecks, secondDatabase, sessionToken, sign, simulate, sql, start, trusting, verifierFor,
} from "./worker-support.mjs";

await runChecks("the sample Worker", async () => {
  const second = handlerFor();
  let registered;
  await check("a key registers once, with its challenge, and opens a session", async () => {
    registered = await attestation(1);
    const answer = await post("/attest", registered);
    assert.deepEqual([answer.status, answer.isNew, answer.keyID], [200, true, registered.keyID]);
    assert.equal((await open(answer.token)).keyID, registered.keyID);
    is(await post("/attest", registered), 409, "consumed", "challengeConsumed");
    // A second attestation of the same key, with a new challenge, does not change the key's record.
    const before = await database.prepare(sql.selectKey).bind(blob(registered.keyID)).first();
    assert.equal((await post("/attest", await attestation(1))).isNew, false);
    assert.deepEqual(await database.prepare(sql.selectKey).bind(blob(registered.keyID)).first(), before);
    assert.equal(await rows("attested_keys"), 1);
  });

  await check("challenges make no query, and the key identifier must have 32 bytes", async () => {
    const before = database.count;
    for (let index = 0; index < 50; index += 1) await challenge(index % 2 ? "attestation" : "assertion", registered.keyID);
    const ask = (count) => post("/challenge", { purpose: "attestation", keyID: Buffer.alloc(count).toString("base64") });
    for (const count of [0, 31, 33]) is(await ask(count), 400, "malformedRequest");
    is(await ask(60_000), 413, "tooLarge");
    assert.equal(database.count, before);
  });

  await check("a forged, expired or foreign challenge is rejected without a query", async () => {
    const other = await attestation(2);
    const before = database.count;
    const stranger = await challenge("attestation", registered.keyID);
    is(await post("/attest", { ...other, challenge: stranger }), 401, "refused", "challengeOfOtherKey");
    const forAssertion = await challenge("assertion", other.keyID);
    is(await post("/attest", { ...other, challenge: forAssertion }), 401, "refused", "challengeOfOtherPurpose");
    is(await post("/session", { keyID: other.keyID, challenge: other.challenge, assertion: "AAAA" }), 401, "refused", "challengeOfOtherPurpose");
    const forged = Buffer.from(other.challenge, "base64");
    forged[2] ^= 1;
    is(await post("/attest", { ...other, challenge: forged.toString("base64") }), 409, "replay", "challengeNotIssued");
    for (const changes of [{ appID: "TEST123456.com.example.other" }, { environment: "development" }]) {
      is(await post("/attest", other, { party: handlerFor(changes) }), 409, "replay", "challengeNotIssued");
    }
    clock.now += 60;
    is(await post("/attest", other), 409, "replay", "challengeExpired");
    clock.now -= 60;
    const anew = await challenge("attestation", other.keyID);
    is(await post("/attest", { ...other, challenge: anew }, { party: trusting(2) }), 401, "refused", "nonceMismatch");
    assert.equal(database.count, before);
    assert.equal(log.at(-1).step, "verification");
  });

  let token;
  await check("an assertion opens a session, and its token opens /protected", async () => {
    const answer = await post("/session", await assertion(1, registered.keyID, 1));
    assert.equal(answer.status, 200);
    assert.equal(answer.expiresAt, clock.now + 900);
    token = answer.token;
    assert.deepEqual(await open(token), { status: 200, keyID: registered.keyID });
    // RFC 9110 §11.1: an authentication scheme is case-insensitive.
    assert.equal((await open(undefined, { headers: { authorization: `bearer  ${token}` } })).status, 200);
    for (const value of [
      token, `Basic ${token}`, `Bearer${token}`, `Bearer ${token} x`, `Bearer ${token},${token}`, "Bearer", "Bearer ..", "Bearer a.b",
    ]) {
      is(await open(undefined, { headers: { authorization: value } }), 401, "refused", "invalidToken");
    }
    const { env, acc, iat, exp } = claimsOf(token);
    assert.deepEqual([env, acc, iat, exp], ["production", null, clock.now, clock.now + 900]);
    const row = await database.prepare(sql.selectKey).bind(blob(registered.keyID)).first();
    assert.equal(row.last_used_at, clock.now);
  });

  await check("replayed assertions, old counters and changed requests are rejected", async () => {
    const recorded = await assertion(1, registered.keyID, 2);
    assert.equal((await post("/session", recorded)).status, 200);
    is(await post("/session", recorded), 409, "consumed", "challengeConsumed");
    is(await post("/session", { ...recorded, challenge: await challenge("assertion", registered.keyID) }), 401, "refused", "invalidSignature");
    is(await post("/session", await assertion(1, registered.keyID, 2)), 409, "overtaken", "counterNotIncreased");
    is(await post("/session", await assertion(2, registered.keyID, 3)), 401, "refused", "invalidSignature");
    const late = await assertion(1, registered.keyID, 3);
    clock.now += 60;
    is(await post("/session", late), 409, "replay", "challengeExpired");
    clock.now -= 60;
  });

  await check("of concurrent requests with one counter value or challenge, one succeeds", async () => {
    const at = { ...env, DB: secondDatabase };
    for (const counter of [4, 5, 6, 7]) {
      const signed = await assertion(1, registered.keyID, counter);
      const other = counter % 2 ? signed : await assertion(1, registered.keyID, counter);
      const answers = await Promise.all([
        post("/session", signed), post("/session", other, { party: second, at }), post("/session", signed, { party: second, at }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    }
    const made = await attestation(5);
    const [one, two] = [trusting(5), trusting(5)];
    const answers = await Promise.all(
      [[one, env], [two, at], [one, env]].map(([party, at]) => post("/attest", made, { party, at })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  });

  await check("two concurrent counter values both succeed, in any order that the policy allows", async () => {
    const window = handlerFor({ counterPolicy: "slidingWindow" });
    const [first, second] = [await assertion(1, registered.keyID, 8), await assertion(1, registered.keyID, 9)];
    const answers = await Promise.all([second, first].map((signed) => post("/session", signed, { party: window })));
    assert.deepEqual(answers.map(({ status }) => status), [200, 200]);
  });

  await check("the answer for an unknown key is unknownKey, or refused under uniform answers", async () => {
    const { keyID } = simulate(3, "attest", "--challenge", "text:x");
    is(await post("/session", await assertion(3, keyID, 1)), 401, "unknownKey", "unknownKey");
    const uniform = { party: handlerFor(), at: { ...env, ANSWERS: "uniform" } };
    is(await post("/session", await assertion(3, keyID, 1, uniform), uniform), 401, "refused", "unknownKey");
    is(await post("/session", await assertion(1, registered.keyID, 1, uniform), uniform), 401, "refused", "counterNotIncreased");
    const { status } = await post("/session", await assertion(1, registered.keyID, 10, uniform), uniform);
    assert.equal(status, 200);
  });

  await check("a token is rejected for another app, environment or secret", async () => {
    const other = "TEST123456.com.example.other";
    const list = (...ids) => ({ appID: undefined, apps: ids.map((id) => ({ appID: id })) });
    for (const apps of [list(appID, other), list(other, appID)]) {
      assert.equal((await open(token, { party: handlerFor(apps) })).status, 200);
    }
    is(await open(token, { party: handlerFor({ appID: other }) }), 401, "refused", "tokenOfOtherAudience");
    is(await open(token, { party: handlerFor({ environment: "development" }) }), 401, "refused", "tokenOfOtherEnvironment");
    const secret = { ...env, SESSION_KEY: Buffer.alloc(32, 8).toString("base64") };
    is(await open(token, { party: handlerFor(), at: secret }), 401, "refused", "invalidToken");
    is(await open(undefined), 401, "refused", "invalidToken");
    clock.now += 899;
    assert.equal((await open(token)).status, 200);
    clock.now += 1;
    is(await open(token), 401, "refused", "expiredToken");
  });

  await check("a logout ends a token, a setting makes it single-use, and it stays listed through the clock skew", async () => {
    assert.equal((await post("/logout", undefined, { headers: bearer(token) })).status, 204);
    is(await open(token), 401, "refused", "deniedToken");
    is(await post("/logout"), 401, "refused", "invalidToken");
    clock.now = claimsOf(token).exp + 299;
    await handler.scheduled({}, env);
    clock.now = start;
    is(await open(token), 401, "refused", "deniedToken");
    // With tokens that are valid until they expire, the Worker does not query the store.
    const lax = { party: handlerFor(), at: { ...env, SESSION_USE: "untilExpiry" } };
    const before = database.count;
    assert.equal((await open(token, lax)).status, 200);
    assert.equal(database.count, before);
    const once = { party: handlerFor(), at: { ...env, SESSION_USE: "once" } };
    const single = await sessionToken(1, registered.keyID, 11);
    const answers = await Promise.all([open(single, once), open(single, once)]);
    is(answers.find(({ status }) => status !== 200), 409, "consumed");
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    is(await open(single, once), 409, "consumed", "tokenConsumed");
    is(await open(single, { ...once, at: { ...once.at, ANSWERS: "uniform" }, party: handlerFor() }), 401, "refused", "tokenConsumed");
  });

  await check("a key is bound to its account in challenges, rows and tokens", async () => {
    const as = (name) => ({ party: trusting(6, { account: () => name }) });
    const [zoe, max] = [as("Zoë"), as("Max")];
    const made = await attestation(6, zoe);
    is(await post("/attest", made, max), 401, "refused", "challengeOfOtherAccount");
    is(await post("/attest", made), 401, "refused", "challengeOfOtherAccount");
    const answer = await post("/attest", made, zoe);
    assert.equal(answer.status, 200);
    assert.equal(Buffer.from(claimsOf(answer.token).acc, "base64url").toString(), "Zoë");
    is(await post("/attest", await attestation(6, max), max), 401, "refused", "keyOfOtherAccount");
    is(await post("/session", await assertion(6, made.keyID, 1, max), max), 401, "refused", "keyOfOtherAccount");
    assert.equal((await post("/session", await assertion(6, made.keyID, 1, zoe), zoe)).status, 200);
    for (const name of ["x".repeat(257), 5, undefined]) {
      is(await post("/challenge", { purpose: "attestation", keyID: made.keyID }, as(name)), 400, "malformedRequest");
    }
  });

  await check("unattested tokens open only /open, and the tier has its own limit", async () => {
    const from = (address) => ({ party: handlerFor({}, { clientAddress: () => address }) });
    const { token: unattested } = await post("/unattested", undefined, from("192.0.2.1"));
    assert.deepEqual([(await open(unattested, from("192.0.2.9"), "/open")).open, log.at(-1).tier], [true, "unattested"]);
    is(await open(unattested), 401, "refused", "invalidToken");
    const attested = await sessionToken(1, registered.keyID, 12);
    assert.deepEqual([(await open(attested, {}, "/open")).open, log.at(-1).tier], [true, "attested"]);
    is(await open(unattested, { party: handlerFor({ environment: "development" }) }, "/open"), 401, "refused", "tokenOfOtherAudience");
    const answers = [];
    for (let index = 0; index < 12; index += 1) answers.push((await post("/unattested", undefined, from("2001:db8::1"))).status);
    assert.deepEqual([answers.lastIndexOf(200), answers.indexOf(429)], [9, 10]);
    is(await post("/unattested", undefined, from("2001:db8::2")), 429, "tooManyRequests", "rateLimited");
    assert.equal((await post("/unattested", undefined, from("2001:db8:0:1::1"))).status, 200);
    clock.now += 6;
    assert.equal((await post("/unattested", undefined, from("2001:db8::2"))).status, 200);
    is(await post("/unattested", undefined, from("2001:db8::2")), 429, "tooManyRequests");
    clock.now -= 6;
  });

  await check("the platform's limiters count if they are bound", async () => {
    const asked = [];
    const limiter = (name, success) => ({ limit: async ({ key }) => { asked.push([name, key]); return { success }; } });
    const limiters = [["sources", true], ["keys", true], ["requests", false]].map(
      ([name, success]) => [`${name.toUpperCase()}_LIMITER`, limiter(name, success)]);
    const at = { ...env, ...Object.fromEntries(limiters) };
    const options = { party: handlerFor({}, { clientAddress: () => "192.0.2.1" }), at };
    const { token } = await post("/session", await assertion(1, registered.keyID, 13, options), options);
    is(await open(token, options), 429, "tooManyRequests", "rateLimited");
    assert.deepEqual(asked.map(([name]) => name), ["sources", "sources", "keys", "sources", "requests"]);
    assert.deepEqual([...Buffer.from(asked[0][1], "base64url")], [4, 192, 0, 2, 1]);
  });

  await check("a key that signs too often is limited, and its counter and challenge are not consumed", async () => {
    const made = await enrolled(7, { party: trusting(7) });
    for (let counter = 1; counter <= 20; counter += 1) {
      assert.equal((await post("/session", await assertion(7, made.keyID, counter))).status, 200);
    }
    const signed = await assertion(7, made.keyID, 21);
    is(await post("/session", signed), 429, "tooManyRequests", "rateLimited");
    clock.now += 3;
    assert.equal((await post("/session", signed)).status, 200);
    clock.now -= 3;
  });

  await check("a body is read only up to its limit in bytes", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(10_000).fill(0x20));
      },
    }, { highWaterMark: 0 });
    const send = (raw) => post("/attest", {}, { raw });
    is(await send(endless), 413, "tooLarge", "tooLarge");
    assert.ok(pulled <= 12, String(pulled));
    // The limit is 98,304 bytes. This body contains only half as many UTF-16 units.
    const padded = (count) => `${" ".repeat(count % 2)}"${"é".repeat((count - 2 - (count % 2)) / 2)}"`;
    is(await send(padded(98_304)), 400, "malformedRequest", "malformedRequest (body)");
    is(await send(padded(98_305)), 413, "tooLarge");
    is(await send(Buffer.from([0x7b, 0xff, 0x7d])), 400, "malformedRequest");
  });

  await check("a slow body does not extend a challenge's lifetime", async () => {
    const signed = Buffer.from(JSON.stringify(await assertion(1, registered.keyID, 14)));
    const slow = new ReadableStream({
      pull(controller) {
        clock.now += 600;
        controller.enqueue(signed);
        controller.close();
      },
    }, { highWaterMark: 0 });
    is(await post("/session", {}, { raw: slow }), 409, "replay", "challengeExpired");
  });

  await check("the next request creates a new verifier if creation failed or the verifier trapped", async () => {
    let attempts = 0;
    const unreliable = createHandler(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("the module is not available yet");
      // The second verifier traps when it gets the key for its first assertion.
      const trap = () => { throw new WebAssembly.RuntimeError("unreachable"); };
      return attempts > 2 ? verifierFor() : verifierFor({}, undefined, { pure_attest_messages_answer: trap });
    }, { clock: () => clock.now, log: (line) => log.push(JSON.parse(line)) });
    const options = { party: unreliable };
    is(await post("/challenge", { purpose: "assertion", keyID: registered.keyID }, options), 503, "serverUnavailable");
    assert.equal(log.at(-1).step, "configuration");
    const signed = await assertion(1, registered.keyID, 14, options);
    is(await post("/session", signed, options), 503, "serverUnavailable", "unreachable");
    assert.equal((await post("/session", signed, options)).status, 200);
    assert.equal(attempts, 3);
  });

  await check("wrong options are configuration errors on every route, and nothing is consumed", async () => {
    const signed = await assertion(1, registered.keyID, 15);
    const before = database.count;
    const wrong = [
      [{ environment: "sandbox" }, {}], [{ launchPolicy: { categories: [] } }, {}], [{ systemPolicy: { builds: ["ä"] } }, {}],
      [{}, { SESSION_KEY: undefined }], [{}, { SESSION_KEY: "AAAA" }], [{}, { SESSION_KEY_ID: undefined }], [{}, { ANSWERS: "terse" }],
      [{}, { SESSION_USE: "forever" }], [{}, { DB: undefined }],
    ];
    for (const [changes, surroundings] of wrong) {
      const options = { party: handlerFor(changes), at: { ...env, ...surroundings } };
      is(await post("/session", signed, options), 503, "serverUnavailable");
      assert.equal(log.at(-1).step, "configuration");
      is(await open(token, options), 503, "serverUnavailable");
    }
    assert.equal(database.count, before);
    assert.equal((await post("/session", signed)).status, 200);
  });

  await check("a database failure is not the device's fault, and the same request succeeds later", async () => {
    const signed = await assertion(1, registered.keyID, 16);
    const failing = { ...env, DB: { prepare: (text) => database.prepare(text), batch: async () => { throw new Error("D1_ERROR: overloaded"); } } };
    is(await post("/session", signed, { at: failing }), 503, "serverUnavailable", "D1_ERROR: overloaded");
    assert.equal((await post("/session", signed)).status, 200);
  });

  await check("a key above the maximum age opens no session and must attest again", async () => {
    const aged = { party: handlerFor({ agePolicy: { maximumKeyAge: 3_600 } }) };
    clock.now = start + 3_601;
    is(await post("/session", await assertion(1, registered.keyID, 17, aged), aged), 401, "unknownKey", "keyTooOld");
    clock.now = start + 3_600;
    assert.equal((await post("/session", await assertion(1, registered.keyID, 17, aged), aged)).status, 200);
  });

  await check("a revoked key cannot sign, use its sessions or register again", async () => {
    const session = await sessionToken(1, registered.keyID, 18);
    assert.equal((await open(session)).status, 200);
    const strangers = sign(2, registered.keyID, await challenge("assertion", registered.keyID), 19);
    await database.prepare(sql.revokeKey).bind(blob(registered.keyID), clock.now).run();
    is(await open(session), 401, "refused", "deniedToken");
    is(await post("/session", await assertion(1, registered.keyID, 19)), 401, "refused", "revokedKey");
    is(await post("/session", strangers), 401, "refused", "invalidSignature");
    is(await post("/attest", await attestation(1)), 401, "refused", "revokedKey");
    // The database loses the key's row. The session stays valid until `consumed_tokens` contains the key.
    await database.prepare("DELETE FROM attested_keys WHERE key_id = ?1").bind(blob(registered.keyID)).run();
    assert.equal((await open(session, { party: handlerFor() })).status, 200);
    await database.prepare(sql.consume).bind(blob(registered.keyID), clock.now + 90_000).run();
    is(await open(session, { party: handlerFor() }), 401, "refused", "deniedToken");
  });

  await check("the schedule removes only expired rows, in batches", async () => {
    await post("/unattested");
    assert.ok((await rows("consumed_tokens")) > 0 && (await rows("allowances")) > 0);
    const filler = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000) "
      + "INSERT INTO consumed_tokens (id, until_time) SELECT CAST('filler' || i AS BLOB), ?1 FROM n";
    await database.prepare(filler).bind(start).run();
    await database.prepare("INSERT INTO consumed_tokens (id, until_time) VALUES (x'00', ?1)").bind(start + 200_000).run();
    clock.now = start + 100_000;
    await handler.scheduled({}, env);
    assert.deepEqual(log.at(-3), { route: "scheduled", table: "consumed_tokens", removed: 20_000 });
    await handler.scheduled({}, env);
    assert.deepEqual([await rows("consumed_tokens"), await rows("allowances")], [1, 0]);
  });

  await check("malformed requests get an answer, and the log has no secrets", async () => {
    const keyID = registered.keyID;
    for (const [path, body] of [
      ["/challenge", { purpose: "other", keyID }], ["/challenge", { purpose: "toString", keyID }],
      ["/challenge", { purpose: "attestation", keyID: "%" }],
      ["/challenge", { purpose: "attestation" }], ["/challenge", [keyID]], ["/challenge", "x"], ["/challenge", 5],
      ["/attest", { keyID }], ["/attest", { ...registered, challenge: "AAAA" }], ["/attest", { ...registered, attestation: 5 }],
      ["/session", { keyID, challenge: registered.challenge, assertion: null }], ["/session", { ...registered, assertion: "AAAA" }],
    ]) {
      is(await post(path, body), 400, "malformedRequest");
    }
    is(await request("GET", "/attest"), 404, "notFound");
    is(await post("/attest", undefined), 415, "unsupportedMediaType");
    // A body must be one object with exactly the declared members, each of them once and with a string as value. So a
    // proxy reads the same values.
    const send = (raw, type = "application/json") => post("/challenge", {}, { raw, headers: { "content-type": type } });
    const members = `"purpose":"assertion","keyID":"${keyID}"`;
    assert.equal((await send(` {${members}}\r\n`, "Application/JSON; charset=utf-8")).status, 200);
    for (const raw of [
      `{"keyID":"AAAA",${members}}`, `{${members},"more":"x"}`, `{${members},"__proto__":"x"}`, `{"purpose":"assertion","keyID":["${keyID}"]}`,
      `{${members},"\\u006beyID":"AAAA"}`, `\ufeff{${members}}`, `{${members}`, `[{${members}}]`, "null", "", "1", `{${members}} {}`,
    ]) is(await send(raw), 400, "malformedRequest");
    for (const type of ["text/plain", "application/jsonp", ""]) is(await send(`{${members}}`, type), 415, "unsupportedMediaType");
    const text = JSON.stringify(log);
    for (const secret of [registered.challenge, token, token.split(".")[2], env.SESSION_KEY]) assert.ok(!text.includes(secret));
    const steps = new Set(log.filter(({ outcome }) => outcome === "refused").map(({ step }) => step));
    assert.deepEqual([...steps].sort(), ["challenge", "input", "key", "limits", "session", "verification"]);
  });
});
