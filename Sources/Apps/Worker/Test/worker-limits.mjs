// Tests the limits on the Worker's work: client addresses, rows of the unattested tier, denied tokens, and /health.
// node worker-limits.mjs TEST_MODULE PURE_ATTEST
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { RelyingParty } from "../../../Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { sessionKeys } from "../settings.mjs";
import {
  bearer, blob, challenge, check, claimsOf, clock, database, enrolled, env, handlerFor, is, log, open, post, request, rows, runChecks,
  sessionToken, sql, start, trusting, verifierFor,
} from "./worker-support.mjs";

await runChecks("the bounds on the Worker's work", async () => {
  const { keyID } = await enrolled(1);
  let counter = 0;
  const session = (options) => sessionToken(1, keyID, (counter += 1), options);

  await check("every route rejects a malformed client address before anything else", async () => {
    const before = database.count;
    for (const address of ["", "x", "192.0.2.1, 198.51.100.1", "192.0.2.1%\u0600", "\u0600,192.0.2.1", "2001:db8::1%eth0", "192.0.2.1 ", 5, {}]) {
      const party = handlerFor({}, { clientAddress: () => address });
      for (const [method, path] of [["POST", "/challenge"], ["POST", "/unattested"], ["GET", "/health"], ["GET", "/open"]]) {
        is(await request(method, path, undefined, { party }), 400, "malformedRequest", "malformedRequest (client address)");
      }
    }
    assert.equal(database.count, before);
    const asked = [];
    const at = { ...env, SOURCES_LIMITER: { limit: async ({ key }) => { asked.push(...Buffer.from(key, "base64url")); return { success: true }; } } };
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:FFFF:192.0.2.1"]) {
      const party = handlerFor();
      assert.equal((await request("GET", "/health", undefined, { party, at, headers: { "cf-connecting-ip": address } })).status, 200);
    }
    assert.deepEqual(asked, Array(4).fill([4, 192, 0, 2, 1]).flat());
    // The platform joins repeated headers with a comma.
    is(await request("GET", "/health", undefined, { headers: { "cf-connecting-ip": "192.0.2.1, 192.0.2.2" } }), 400, "malformedRequest");
  });

  await check("2,000 networks in the unattested tier write at most 1,024 rows, and each is limited", async () => {
    let address;
    const party = handlerFor({}, { clientAddress: () => address });
    const statuses = new Map();
    for (let index = 0; index < 2_000; index += 1) {
      address = `2001:db8:${index.toString(16)}::1`;
      const { status, token } = await post("/unattested", undefined, { party });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // Requests with tokens of this tier use the same rows.
      if (index % 100 === 0) {
        const count = await rows("allowances");
        assert.equal((await open(token, { party }, "/open")).status, 200);
        assert.equal(await rows("allowances"), count);
      }
    }
    // 2,000 networks occupy about 878 of 1,024 rows: 1,024 · (1 − e^(−2,000/1,024)).
    const count = await rows("allowances");
    assert.ok(count > 800 && count <= 1_024, String(count));
    assert.ok(statuses.get(200) >= 1_990, String([...statuses]));
    // A network's row does not depend only on the network's address.
    const row = async (at) => {
      await database.prepare("DELETE FROM allowances").run();
      assert.equal((await post("/unattested", undefined, { party: handlerFor({}, { clientAddress: () => "192.0.2.1" }), at })).status, 200);
      return String((await database.prepare("SELECT name FROM allowances").first()).name);
    };
    const names = new Set();
    for (let byte = 0; byte < 4; byte += 1) names.add(await row({ ...env, SESSION_KEY: Buffer.alloc(32, byte).toString("base64") }));
    assert.ok(names.size > 1);
    assert.ok([...names].every((name) => /^2,[0-3],\d+$/.test(name)), [...names].join(" "));
  });

  await check("the platform's limiter counts each network of the tier separately", async () => {
    const asked = new Set();
    const at = { ...env, UNATTESTED_LIMITER: { limit: async ({ key }) => { asked.add(key); return { success: true }; } } };
    let address;
    const party = handlerFor({}, { clientAddress: () => address });
    for (let index = 0; index < 300; index += 1) {
      address = `192.0.2.${index % 256}`;
      assert.equal((await post("/unattested", undefined, { party, at })).status, 200);
    }
    assert.equal(asked.size, 256);
    assert.equal(await rows("allowances"), 0);
  });

  await check("an address over its enrolment limit does not consume the global enrolment rate, which the platform can count", async () => {
    const asked = [];
    const limiter = (name, success) => ({ limit: async () => { asked.push(name); return { success }; } });
    const ask = (changes) => {
      const options = { party: handlerFor({}, { clientAddress: () => "192.0.2.1" }), at: { ...env, ...changes } };
      return post("/challenge", { purpose: "attestation", keyID }, options);
    };
    const over = await ask({ ENROLMENT: { keysPerSecond: 1 }, ENROLMENTS_LIMITER: limiter("address", false) });
    is(over, 429, "enrolLater", "enrolmentDeferred");
    assert.deepEqual([over.headers.get("retry-after"), await rows("allowances"), asked.splice(0)], ["60", 0, ["address"]]);
    const limiters = (success) => ({ ENROLMENTS_LIMITER: limiter("address", true), PACE_LIMITER: limiter("all", success) });
    assert.equal((await ask(limiters(true))).status, 200);
    is(await ask(limiters(false)), 429, "enrolLater", "enrolmentDeferred");
    assert.deepEqual([await rows("allowances"), asked], [0, ["address", "all", "address", "all"]]);
  });

  await check("a request that the limiter rejects consumes no single-use token and makes no query, and a retry succeeds", async () => {
    let success = false;
    const at = { ...env, SESSION_USE: "once", REQUESTS_LIMITER: { limit: async () => ({ success }) } };
    const options = { party: handlerFor(), at };
    const token = await session(options);
    const before = database.count;
    for (let count = 0; count < 5; count += 1) is(await open(token, options), 429, "tooManyRequests", "rateLimited");
    assert.equal(database.count, before);
    success = true;
    assert.equal((await open(token, options)).status, 200);
    is(await open(token, options), 409, "consumed", "tokenConsumed");
    success = false;
    // The Worker now knows that the token is consumed. It answers "consumed" even if the limiter rejects the request.
    is(await open(token, options), 409, "consumed", "tokenConsumed");
  });

  await check("a denied token costs one query and one request of its key's limit, however often a client sends it", async () => {
    const deny = {
      ended: async (token) => assert.equal((await post("/logout", undefined, { headers: bearer(token) })).status, 204),
      consumed: async (token) => assert.equal((await open(token, { at: { ...env, SESSION_USE: "once" }, party: handlerFor() })).status, 200),
      "of a revoked key": () => database.prepare(sql.revokeKey).bind(blob(keyID), clock.now).run(),
    };
    for (const [name, make] of Object.entries(deny)) {
      for (const SESSION_USE of ["untilRevoked", "once"]) {
        let admitted = 0;
        const at = { ...env, SESSION_USE, REQUESTS_LIMITER: { limit: async () => { admitted += 1; return { success: true }; } } };
        const options = { party: handlerFor(), at };
        const token = await session({ at: env, party: handlerFor() });
        const good = await session({ at: env, party: handlerFor() });
        await make(token);
        const isConsumed = SESSION_USE === "once" && name !== "of a revoked key";
        const [status, word, reason] = isConsumed ? [409, "consumed", "tokenConsumed"] : [401, "refused", "deniedToken"];
        is(await open(token, options), status, word, reason);
        const before = database.count;
        for (let count = 0; count < 999; count += 1) is(await open(token, options), status, word, reason);
        assert.equal(database.count, before, name);
        assert.equal(admitted, 1, name);
        if (name !== "of a revoked key") assert.equal((await open(good, options)).status, 200, name);
        await database.prepare("UPDATE attested_keys SET revoked_at = NULL").run();
      }
    }
  });

  await check("the memory of denied tokens is bounded, and forgets the oldest", async () => {
    const [head, payload] = (await session()).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url"));
    const tokenOf = (index) => {
      const jti = Buffer.alloc(16);
      jti.writeUInt32BE(index);
      const content = `${head}.${Buffer.from(JSON.stringify({ ...claims, jti: jti.toString("base64url") })).toString("base64url")}`;
      return `${content}.${createHmac("sha256", Buffer.from(env.SESSION_KEY, "base64")).update(content).digest("base64url")}`;
    };
    let queries = 0;
    // A store that contains no key, and lists each key as revoked.
    const store = { rows: async (name) => { queries += 1; return name === "selectConsumed" ? [[1]] : []; } };
    const party = new RelyingParty(await verifierFor(), { store, sessionKeys: sessionKeys(env), clock: () => clock.now });
    const deny = (index) => assert.rejects(party.verifySession(tokenOf(index)), { reason: "deniedToken" });
    for (let index = 0; index < 10_001; index += 1) await deny(index);
    assert.equal(queries, 2 * 10_001);
    for (const [index, more] of [[1, 0], [10_000, 0], [0, 2], [1, 2]]) {
      const before = queries;
      await deny(index);
      assert.equal(queries - before, more, String(index));
    }
  });

  await check("database failures are not remembered as denials, and a denied token expires", async () => {
    const token = await session();
    const party = handlerFor();
    assert.equal((await open(token, { party })).status, 200);
    const failing = { ...env, DB: { prepare: (text) => (/schema_versions/.test(text) ? database.prepare(text) : { bind: () => ({ all: async () => { throw new Error("D1_ERROR"); } }) }) } };
    is(await open(token, { party, at: failing }), 503, "serverUnavailable");
    assert.equal((await open(token, { party })).status, 200);
    assert.equal((await post("/logout", undefined, { party, headers: bearer(token) })).status, 204);
    is(await open(token, { party }), 401, "refused", "deniedToken");
    clock.now = claimsOf(token).exp;
    is(await open(token, { party }), 401, "refused", "expiredToken");
  });

  await check("/health queries the database once a second, whether it answers or fails", async () => {
    const party = handlerFor();
    const health = (at = env) => request("GET", "/health", undefined, { party, at });
    assert.equal((await health()).status, 200);
    const before = database.count;
    for (let count = 0; count < 500; count += 1) assert.equal((await health()).status, 200);
    assert.equal(database.count, before);
    clock.now += 1;
    for (const answer of await Promise.all(Array.from({ length: 500 }, () => health()))) assert.equal(answer.status, 200);
    assert.equal(database.count, before + 1);
    clock.now += 1;
    let failures = 0;
    const failing = { ...env, DB: { prepare: () => ({ bind: () => ({ all: async () => { failures += 1; throw new Error("D1_ERROR"); } }) }) } };
    for (let count = 0; count < 50; count += 1) is(await health(failing), 503, "serverUnavailable", "D1_ERROR");
    assert.equal(failures, 1);
    clock.now += 1;
    assert.equal((await health()).status, 200);
    assert.equal(database.count, before + 2);
  });

  await check("a clock in milliseconds is a configuration error, and fractions of a second are dropped", async () => {
    for (const clock of [() => start * 1_000, () => NaN, () => "5", () => BigInt(start)]) {
      is(await post("/challenge", { purpose: "assertion", keyID }, { party: handlerFor({}, { clock }) }), 503, "serverUnavailable");
      assert.deepEqual([log.at(-1).step, log.at(-1).reason.startsWith("clock: seconds since 1970")], ["configuration", true]);
      await assert.rejects(handlerFor({}, { clock }).scheduled({}, env), /^Error: clock: seconds since 1970/);
    }
    const { status, expiresAt } = await post("/challenge", { purpose: "assertion", keyID }, { party: handlerFor({}, { clock: () => start + 0.9 }) });
    assert.deepEqual([status, expiresAt], [200, start + 60]);
  });

  await check("an account name without a UTF-8 form is rejected, so no two names coincide", async () => {
    for (const name of ["\ud800", "Zoe\udc00", "\udc00\ud800"]) {
      is(await post("/challenge", { purpose: "assertion", keyID }, { party: trusting(1, { account: () => name }) }), 400, "malformedRequest");
    }
    assert.equal((await challenge("assertion", keyID, { party: trusting(1, { account: () => "\ud83d\ude00" }) })).length > 0, true);
  });
});
