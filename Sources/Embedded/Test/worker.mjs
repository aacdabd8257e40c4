// Runs the sample Worker in Node: node worker.mjs TEST_MODULE PURE_ATTEST STATEMENTS. Its store is a real SQLite behind D1's
// interface, its clients are virtual devices of `pure-attest simulate`, STATEMENTS is the article that the SQL must agree with.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { webcrypto } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandler } from "../Worker/handler.mjs";
import { LIMITS_SCHEMA } from "../Worker/limits.mjs";
import * as sql from "../Worker/statements.mjs";
import { D1Database } from "./d1.mjs";
import { Checks, compile, readJSON } from "./support.mjs";
import { instantiateTrusting } from "./test-roots.mjs";

globalThis.crypto ??= webcrypto; // Node 18
const [modulePath, tool, article] = process.argv.slice(2);
const module = compile(modulePath);
const folder = mkdtempSync(join(tmpdir(), "pure-attest-"));
const checks = new Checks();

/** Objects of the virtual device with this seed. */
function simulate(seed, command, ...options) {
  execFileSync(tool, ["simulate", command, "--seed", String(seed), "--out", folder, "--app-id", appID, ...options]);
  const { attestation, keyID, assertions, testAnchor } = readJSON(
    join(folder, command === "attest" ? "attestation.json" : "assertion.json"));
  return { attestation, keyID, assertion: assertions?.[0]?.assertion, testAnchor };
}

const appID = "TEST123456.com.example.app";
const start = Date.parse("2026-09-15T12:00:00Z") / 1000;
let now = start;
// Two Workers, each with a connection of its own to one database.
const file = join(folder, "d1.sqlite");
const [database, secondDatabase] = [new D1Database(file), new D1Database(file)];
const env = { DB: database, SESSION_KEY: Buffer.alloc(32, 7).toString("base64"), SESSION_KEY_ID: "1" };

const rows = async (table) => (await database.prepare(`SELECT count(*) AS count FROM ${table}`).first()).count;

/** The article's statements by name, each with its semicolon. */
function statementsOf(text) {
  const section = text.split("\n## ").find((part) => part.startsWith("SQLite and Cloudflare D1"));
  return new Map([...section.matchAll(/### (\w+)\n\n```sql\n([^`]+)\n```/g)].map(([, name, statements]) => [name, statements]));
}

try {
  const published = statementsOf(readFileSync(article, "utf8"));
  await checks.run("the statements are those of the article", () => {
    const { SCHEMA, ...statements } = sql;
    assert.equal(published.get("Schema"), SCHEMA.join("\n"));
    for (const [name, text] of Object.entries(statements)) assert.equal([text].flat().join("\n"), published.get(name), name);
  });

  await checks.run("the schema can be run twice, and the migration makes the tables of the version before into it", async () => {
    const old = [
      "CREATE TABLE challenges (id BLOB PRIMARY KEY NOT NULL, expires_at INTEGER NOT NULL) STRICT;",
      `CREATE TABLE attested_keys (key_id BLOB PRIMARY KEY NOT NULL, record BLOB NOT NULL, counter INTEGER NOT NULL, account BLOB,
        receipt BLOB NOT NULL, registered_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;`,
      "CREATE INDEX attested_keys_by_account ON attested_keys (account);",
      "CREATE TABLE denied_tokens (id BLOB PRIMARY KEY NOT NULL, until_time INTEGER NOT NULL) STRICT;",
      "CREATE INDEX denied_tokens_by_time ON denied_tokens (until_time);",
    ];
    const migrated = new D1Database();
    await migrated.batch([...old, ...sql.migration, ...sql.SCHEMA].map((statement) => migrated.prepare(statement)));
    const names = (await migrated.prepare("SELECT name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").run()).results;
    migrated.close();
    for (const statement of [...sql.SCHEMA, ...LIMITS_SCHEMA, ...sql.SCHEMA]) await database.prepare(statement).run();
    const own = (await database.prepare(
      "SELECT name FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'allowances%' ORDER BY name").run()).results;
    assert.deepEqual(names, own);
  });

  /** Each with full allowances, as time stands still. */
  const check = (name, body) => checks.run(name, async () => {
    await database.prepare("DELETE FROM allowances").run();
    await body();
  });

  const device = simulate(1, "attest", "--challenge", "text:x");
  const log = [];
  const handlerFor = (options, surroundings = {}, anchor = device.testAnchor) => createHandler(
    () => instantiateTrusting(module, anchor, { appID, environment: "production", ...options }), { clock: () => now, log: (line) => log.push(JSON.parse(line)), ...surroundings });
  /** A Worker that trusts the authority of the device with this seed, as each has its own; any may verify a registered key. */
  const trusting = (seed, surroundings) => handlerFor({}, surroundings, simulate(seed, "attest", "--challenge", "text:x").testAnchor);
  const handler = handlerFor();
  const second = handlerFor();
  const request = async (method, path, body, { headers = {}, party = handler, at = env } = {}) => {
    const response = await party.fetch(
      new Request(`https://worker.example${path}`, { method, headers, body: body && JSON.stringify(body) }), at);
    return { status: response.status, ...(await response.json()) };
  };
  const post = (path, body, options) => request("POST", path, body, options);
  const open = (token, options, path = "/protected") =>
    request("GET", path, undefined, { headers: token ? { authorization: `Bearer ${token}` } : {}, ...options });
  const challenge = async (purpose, keyID, options) => {
    const answer = await post("/challenge", { purpose, keyID }, options);
    assert.equal(answer.status, 200);
    assert.equal(Buffer.from(answer.challenge, "base64").length, 92);
    return answer.challenge;
  };
  const attestation = async (seed, options) => {
    const { keyID } = simulate(seed, "attest", "--challenge", "text:x");
    const issued = await challenge("attest", keyID, options);
    return { challenge: issued, keyID, attestation: simulate(seed, "attest", "--challenge", issued).attestation };
  };
  const sign = (seed, keyID, issued, counter) => ({
    challenge: issued, keyID, assertion: simulate(seed, "assert", "--client-data", issued, "--counter", String(counter)).assertion,
  });
  const assertion = async (seed, keyID, counter, options) => sign(seed, keyID, await challenge("assert", keyID, options), counter);
  const blob = (text) => new Uint8Array(Buffer.from(text, "base64")).buffer;
  const claimsOf = (token) => JSON.parse(Buffer.from(token.split(".")[1], "base64url"));
  /** The answer, and what the log says of it. */
  const is = (answer, status, code, reason) => {
    assert.deepEqual([answer.status, answer.code], [status, code]);
    if (reason) assert.equal(log.at(-1).reason, reason);
  };

  let registered;
  await check("a key registers once, with its challenge, and opens a session", async () => {
    registered = await attestation(1);
    const answer = await post("/attest", registered);
    assert.equal(answer.status, 201);
    assert.equal((await open(answer.token)).keyID, registered.keyID);
    is(await post("/attest", registered), 409, "replay", "challengeSpent");
    // The same key with a new challenge keeps its record.
    const before = await database.prepare(sql.selectKey).bind(blob(registered.keyID)).first();
    assert.equal((await post("/attest", await attestation(1))).status, 200);
    assert.deepEqual(await database.prepare(sql.selectKey).bind(blob(registered.keyID)).first(), before);
    assert.equal(await rows("attested_keys"), 1);
  });

  await check("asking for challenges writes nothing, and takes no key ID but one of 32 bytes", async () => {
    const before = database.count;
    for (let index = 0; index < 50; index += 1) await challenge(index % 2 ? "attest" : "assert", registered.keyID);
    for (const count of [0, 31, 33, 60_000]) {
      is(await post("/challenge", { purpose: "attest", keyID: Buffer.alloc(count).toString("base64") }), 400, "refused");
    }
    assert.equal(database.count, before);
  });

  await check("a challenge for another key, purpose or time, or none of ours, is refused before anything is read", async () => {
    const other = await attestation(2);
    const before = database.count;
    const stranger = await challenge("attest", registered.keyID);
    is(await post("/attest", { ...other, challenge: stranger }), 401, "refused", "challengeOfOtherKey");
    const forAssertion = await challenge("assert", other.keyID);
    is(await post("/attest", { ...other, challenge: forAssertion }), 401, "refused", "challengeOfOtherPurpose");
    is(await post("/session", { ...other, assertion: "AAAA" }), 401, "refused", "challengeOfOtherPurpose");
    const forged = Buffer.from(other.challenge, "base64");
    forged[2] ^= 1;
    is(await post("/attest", { ...other, challenge: forged.toString("base64") }), 409, "replay", "challengeNotIssued");
    for (const changes of [{ appID: "TEST123456.com.example.other" }, { environment: "development" }]) {
      is(await post("/attest", other, { party: handlerFor(changes) }), 409, "replay", "challengeNotIssued");
    }
    now += 60;
    is(await post("/attest", other), 409, "replay", "challengeExpired");
    now -= 60;
    const anew = await challenge("attest", other.keyID);
    is(await post("/attest", { ...other, challenge: anew }, { party: trusting(2) }), 401, "refused", "nonceMismatch");
    assert.equal(database.count, before);
    assert.equal(log.at(-1).step, "verification");
  });

  let token;
  await check("an assertion opens a session, and the session the door", async () => {
    const answer = await post("/session", await assertion(1, registered.keyID, 1));
    assert.equal(answer.status, 200);
    assert.equal(answer.expiresAt, now + 900);
    token = answer.token;
    assert.deepEqual(await open(token), { status: 200, keyID: registered.keyID });
    const { env, acc, iat, exp } = claimsOf(token);
    assert.deepEqual([env, acc, iat, exp], ["production", null, now, now + 900]);
    const row = await database.prepare(sql.selectKey).bind(blob(registered.keyID)).first();
    assert.equal(row.last_used_at, now);
  });

  await check("a recorded assertion, an old counter and a changed request are refused", async () => {
    const recorded = await assertion(1, registered.keyID, 2);
    assert.equal((await post("/session", recorded)).status, 200);
    is(await post("/session", recorded), 409, "replay", "challengeSpent");
    is(await post("/session", { ...recorded, challenge: await challenge("assert", registered.keyID) }), 401, "refused", "invalidSignature");
    is(await post("/session", await assertion(1, registered.keyID, 2)), 409, "replay", "counterNotIncreased");
    is(await post("/session", await assertion(2, registered.keyID, 3)), 401, "refused", "invalidSignature");
    const late = await assertion(1, registered.keyID, 3);
    now += 60;
    is(await post("/session", late), 409, "replay", "challengeExpired");
    now -= 60;
  });

  await check("of requests to two Workers with one counter value, or one challenge, one wins", async () => {
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
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  await check("of two counter values at once both count, in any order that the policy allows", async () => {
    const window = handlerFor({ counterPolicy: "slidingWindow" });
    const [first, second] = [await assertion(1, registered.keyID, 8), await assertion(1, registered.keyID, 9)];
    const answers = await Promise.all([second, first].map((signed) => post("/session", signed, { party: window })));
    assert.deepEqual(answers.map(({ status }) => status), [200, 200]);
  });

  await check("an unknown key is told to attest, and under uniform answers nothing", async () => {
    const { keyID } = simulate(3, "attest", "--challenge", "text:x");
    is(await post("/session", await assertion(3, keyID, 1)), 401, "unknownKey", "unknownKey");
    const uniform = { party: handlerFor(), at: { ...env, ANSWERS: "uniform" } };
    is(await post("/session", await assertion(3, keyID, 1, uniform), uniform), 401, "refused", "unknownKey");
    is(await post("/session", await assertion(1, registered.keyID, 1, uniform), uniform), 401, "refused", "counterNotIncreased");
    const { status } = await post("/session", await assertion(1, registered.keyID, 10, uniform), uniform);
    assert.equal(status, 200);
  });

  await check("a token opens nothing for another app, environment or secret", async () => {
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
    now += 899;
    assert.equal((await open(token)).status, 200);
    now += 1;
    is(await open(token), 401, "refused", "expiredToken");
    now = start;
  });

  await check("a token is ended by a logout, used once where that is chosen, and listed for as long as any clock may take it", async () => {
    assert.equal((await post("/logout", undefined, { headers: { authorization: `Bearer ${token}` } })).status, 200);
    is(await open(token), 401, "refused", "deniedToken");
    is(await post("/logout"), 401, "refused", "invalidToken");
    now = claimsOf(token).exp + 299;
    await handler.scheduled({}, env);
    now = start;
    is(await open(token), 401, "refused", "deniedToken");
    // Where tokens live on, the store is not asked.
    const lax = { party: handlerFor(), at: { ...env, SESSION_USE: "untilExpiry" } };
    const before = database.count;
    assert.equal((await open(token, lax)).status, 200);
    assert.equal(database.count, before);
    const once = { party: handlerFor(), at: { ...env, SESSION_USE: "once" } };
    const single = (await post("/session", await assertion(1, registered.keyID, 11))).token;
    const answers = await Promise.all([open(single, once), open(single, once)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  });

  await check("a key belongs to its account, in challenges, rows and tokens", async () => {
    const as = (name) => ({ party: trusting(6, { account: () => name }) });
    const [zoe, max] = [as("Zoë"), as("Max")];
    const made = await attestation(6, zoe);
    is(await post("/attest", made, max), 401, "refused", "challengeOfOtherAccount");
    is(await post("/attest", made), 401, "refused", "challengeOfOtherAccount");
    const answer = await post("/attest", made, zoe);
    assert.equal(answer.status, 201);
    assert.equal(Buffer.from(claimsOf(answer.token).acc, "base64url").toString(), "Zoë");
    is(await post("/attest", await attestation(6, max), max), 401, "refused", "keyOfOtherAccount");
    is(await post("/session", await assertion(6, made.keyID, 1, max), max), 401, "refused", "keyOfOtherAccount");
    assert.equal((await post("/session", await assertion(6, made.keyID, 1, zoe), zoe)).status, 200);
    for (const name of ["x".repeat(257), 5, undefined]) {
      is(await post("/challenge", { purpose: "attest", keyID: made.keyID }, as(name)), 400, "refused");
    }
  });

  await check("the unattested tier opens what is open to it, and has its own limit", async () => {
    const from = (address) => ({ party: handlerFor({}, { source: () => address }) });
    const { token: unattested } = await post("/unattested", undefined, from("192.0.2.1"));
    assert.equal((await open(unattested, from("192.0.2.9"), "/open")).tier, "unattested");
    is(await open(unattested), 401, "refused", "invalidToken");
    const attested = (await post("/session", await assertion(1, registered.keyID, 12))).token;
    assert.equal((await open(attested, {}, "/open")).tier, "attested");
    is(await open(unattested, { party: handlerFor({ environment: "development" }) }, "/open"), 401, "refused", "tokenOfOtherAudience");
    const answers = [];
    for (let index = 0; index < 12; index += 1) answers.push((await post("/unattested", undefined, from("2001:db8::1"))).status);
    assert.deepEqual([answers.lastIndexOf(200), answers.indexOf(429)], [9, 10]);
    is(await post("/unattested", undefined, from("2001:db8::2")), 429, "tooManyRequests", "rateLimited");
    assert.equal((await post("/unattested", undefined, from("2001:db8:0:1::1"))).status, 200);
    now += 6;
    assert.equal((await post("/unattested", undefined, from("2001:db8::2"))).status, 200);
    is(await post("/unattested", undefined, from("2001:db8::2")), 429, "tooManyRequests");
    now -= 6;
  });

  await check("the platform's limiters count where they are bound", async () => {
    const asked = [];
    const limiter = (name, success) => ({ limit: async ({ key }) => { asked.push([name, key]); return { success }; } });
    const at = { ...env, SOURCES_LIMITER: limiter("sources", true), KEYS_LIMITER: limiter("keys", true), REQUESTS_LIMITER: limiter("requests", false) };
    const options = { party: handlerFor({}, { source: () => "192.0.2.1" }), at };
    const { token } = await post("/session", await assertion(1, registered.keyID, 13, options), options);
    is(await open(token, options), 429, "tooManyRequests", "rateLimited");
    assert.deepEqual(asked.map(([name]) => name), ["sources", "sources", "keys", "sources", "requests"]);
    assert.equal(Buffer.from(asked[0][1], "base64url").toString(), "192.0.2.1");
  });

  await check("a key that signs too often waits, with its counter and challenge unspent", async () => {
    const made = await attestation(7);
    assert.equal((await post("/attest", made, { party: trusting(7) })).status, 201);
    for (let counter = 1; counter <= 20; counter += 1) {
      assert.equal((await post("/session", await assertion(7, made.keyID, counter))).status, 200);
    }
    const signed = await assertion(7, made.keyID, 21);
    is(await post("/session", signed), 429, "tooManyRequests", "rateLimited");
    now += 3;
    assert.equal((await post("/session", signed)).status, 200);
    now -= 3;
  });

  await check("a body is read up to its limit in bytes and no further", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(10_000).fill(0x20));
      },
    }, { highWaterMark: 0 });
    const send = async (body, headers = {}) => {
      const response = await handler.fetch(
        new Request("https://worker.example/attest", { method: "POST", body, duplex: "half", headers }), env);
      return { status: response.status, ...(await response.json()) };
    };
    is(await send(endless), 400, "refused", "malformedRequest (body too large)");
    assert.ok(pulled <= 12, String(pulled));
    // 100,000 bytes in 50,002 units of UTF-16 are the most, one more is too many.
    const padded = (count) => `${" ".repeat(count % 2)}"${"é".repeat((count - 2 - (count % 2)) / 2)}"`;
    is(await send(padded(100_000)), 400, "refused", "malformedRequest (body)");
    is(await send(padded(100_001)), 400, "refused", "malformedRequest (body too large)");
    is(await send(Buffer.from([0x7b, 0xff, 0x7d])), 400, "refused");
  });

  await check("a body that comes slowly does not stretch a challenge's life", async () => {
    const signed = Buffer.from(JSON.stringify(await assertion(1, registered.keyID, 14)));
    const slow = new ReadableStream({
      pull(controller) {
        now += 600;
        controller.enqueue(signed);
        controller.close();
      },
    }, { highWaterMark: 0 });
    const response = await handler.fetch(
      new Request("https://worker.example/session", { method: "POST", body: slow, duplex: "half" }), env);
    is({ status: response.status, ...(await response.json()) }, 409, "replay", "challengeExpired");
    now = start;
  });

  await check("a verifier that could not be made, or that trapped, is made anew for the next request", async () => {
    let attempts = 0;
    const unreliable = createHandler(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("the module is not there yet");
      const verifier = await instantiateTrusting(module, device.testAnchor, { appID, environment: "production" });
      // The second traps at its first assertion.
      return attempts > 2 ? verifier : {
        appIDs: verifier.appIDs, environment: verifier.environment, isBroken: false,
        verifyAssertion() { this.isBroken = true; throw new WebAssembly.RuntimeError("unreachable"); },
      };
    }, { clock: () => now, log: (line) => log.push(JSON.parse(line)) });
    const options = { party: unreliable };
    is(await post("/challenge", { purpose: "assert", keyID: registered.keyID }, options), 503, "serverUnavailable");
    assert.equal(log.at(-1).step, "configuration");
    const signed = await assertion(1, registered.keyID, 14, options);
    is(await post("/session", signed, options), 503, "serverUnavailable", "unreachable");
    assert.equal((await post("/session", signed, options)).status, 200);
    assert.equal(attempts, 3);
  });

  await check("wrong options are the server's fault on every route, and nothing is spent for them", async () => {
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

  await check("a database that fails is not the device's fault, and the same request is good later", async () => {
    const signed = await assertion(1, registered.keyID, 16);
    const failing = { ...env, DB: { prepare: (text) => database.prepare(text), batch: async () => { throw new Error("D1_ERROR: overloaded"); } } };
    is(await post("/session", signed, { at: failing }), 503, "serverUnavailable", "D1_ERROR: overloaded");
    assert.equal((await post("/session", signed)).status, 200);
  });

  await check("a key older than the configuration allows opens no session, and is to attest anew", async () => {
    const aged = { party: handlerFor({ agePolicy: { maximumKeyAge: 3_600 } }) };
    now = start + 3_601;
    is(await post("/session", await assertion(1, registered.keyID, 17, aged), aged), 401, "unknownKey", "keyTooOld");
    now = start + 3_600;
    assert.equal((await post("/session", await assertion(1, registered.keyID, 17, aged), aged)).status, 200);
    now = start;
  });

  await check("a key that was revoked signs nothing more, its sessions open nothing, and it can't come back", async () => {
    const session = (await post("/session", await assertion(1, registered.keyID, 18))).token;
    assert.equal((await open(session)).status, 200);
    const strangers = sign(2, registered.keyID, await challenge("assert", registered.keyID), 19);
    await database.prepare(published.get("revokeKey")).bind(blob(registered.keyID), now).run();
    is(await open(session), 401, "refused", "deniedToken");
    is(await post("/session", await assertion(1, registered.keyID, 19)), 401, "refused", "revokedKey");
    is(await post("/session", strangers), 401, "refused", "invalidSignature");
    is(await post("/attest", await attestation(1)), 401, "refused", "revokedKey");
    // Of a key that the database has no more the list knows.
    await database.prepare("DELETE FROM attested_keys WHERE key_id = ?1").bind(blob(registered.keyID)).run();
    assert.equal((await open(session)).status, 200);
    await database.prepare(sql.spend).bind(blob(registered.keyID), now + 90_000).run();
    is(await open(session), 401, "refused", "deniedToken");
  });

  await check("the schedule removes what has expired, some at a time, and nothing else", async () => {
    await post("/unattested");
    assert.ok((await rows("spent")) > 0 && (await rows("allowances")) > 0);
    const filler = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21000) "
      + "INSERT INTO spent (id, until_time) SELECT CAST('filler' || i AS BLOB), ?1 FROM n";
    await database.prepare(filler).bind(start).run();
    await database.prepare("INSERT INTO spent (id, until_time) VALUES (x'00', ?1)").bind(start + 200_000).run();
    now = start + 100_000;
    await handler.scheduled({}, env);
    assert.deepEqual(log.at(-2), { route: "scheduled", table: "spent", removed: 20_000 });
    await handler.scheduled({}, env);
    assert.deepEqual([await rows("spent"), await rows("allowances")], [1, 0]);
    now = start;
  });

  await check("malformed requests are answered, not thrown, and the log has no secret", async () => {
    const keyID = registered.keyID;
    for (const [path, body] of [
      ["/challenge", { purpose: "other", keyID }], ["/challenge", { purpose: "toString", keyID }], ["/challenge", { purpose: "attest", keyID: "%" }],
      ["/challenge", { purpose: "attest" }], ["/challenge", [keyID]], ["/challenge", "x"], ["/challenge", 5],
      ["/attest", { keyID }], ["/attest", { ...registered, challenge: "AAAA" }], ["/attest", { ...registered, attestation: 5 }],
      ["/session", { ...registered, assertion: null }],
    ]) {
      is(await post(path, body), 400, "refused");
    }
    is(await request("GET", "/attest"), 404, "notFound");
    is(await post("/attest", undefined), 400, "refused");
    const text = JSON.stringify(log);
    for (const secret of [registered.challenge, token, token.split(".")[2], env.SESSION_KEY]) assert.ok(!text.includes(secret));
    const steps = new Set(log.filter(({ outcome }) => outcome === "refused").map(({ step }) => step));
    assert.deepEqual([...steps].sort(), ["challenge", "input", "key", "limits", "session", "verification"]);
  });
} finally {
  database.close();
  secondDatabase.close();
  rmSync(folder, { recursive: true });
}
console.log(`${checks.count} checks of the sample Worker passed`);
