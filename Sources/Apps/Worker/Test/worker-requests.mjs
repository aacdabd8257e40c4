// Tests the Worker's signed requests, enrolment, limits, settings and operator routes. node worker-requests.mjs
// TEST_MODULE PURE_ATTEST
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { ratesOf } from "../limits.mjs";
import {
  assertion, attestation, bearer, blob, challenge, check, claimsOf, clientData, clock, database, enrolled, entryPoint, env, handlerFor, is, log, open,
  post, request, rows, runChecks, secondDatabase, sessionToken, sign, signedHeaders, start, trusting,
} from "./worker-support.mjs";

await runChecks("the Worker's requests", async () => {
  const { keyID } = await enrolled(1);
  let counter = 0;

  /** Returns a request that the device has signed, with `changes` made after the signature. */
  async function signed(target, body, changes = {}) {
    const own = await signedHeaders(1, keyID, (counter += 1), target, body);
    const headers = { ...own, "content-type": "application/octet-stream", ...changes.headers };
    return () => request("POST", changes.target ?? target, undefined, { headers, raw: changes.body ?? body });
  }

  await check("a signed request is answered once, with the next challenge", async () => {
    const send = await signed("/signed?amount=5&to=%C3%A9", "the body");
    const answer = await send();
    assert.deepEqual([answer.status, answer.keyID], [200, keyID]);
    is(await send(), 409, "consumed", "challengeConsumed");
    const next = answer.headers.get("attest-challenge");
    counter += 1;
    assert.equal((await post("/session", sign(1, keyID, next, counter))).status, 200);
    for (const target of ["/signed?", "/signed?a?b"]) assert.equal((await (await signed(target, ""))()).status, 200, target);
  });

  await check("a signed request with any part changed is rejected", async () => {
    for (const changes of [
      { body: "the bodY" }, { body: "" }, { target: "/signed?amount=6" }, { target: "/signed" }, { target: "/signed?amount=5&" },
    ]) {
      is(await (await signed("/signed?amount=5", "the body", changes))(), 401, "refused", "invalidSignature");
    }
    // An assertion for a session is not valid for a signed request, and vice versa.
    const plain = await assertion(1, keyID, (counter += 1));
    const headers = { "Attest-Key": keyID, "Attest-Challenge": plain.challenge, "Attest-Assertion": plain.assertion };
    is(await request("POST", "/signed", undefined, { headers, raw: "" }), 401, "refused", "invalidSignature");
    const issued = await challenge("assertion", keyID);
    const whole = sign(1, keyID, issued, (counter += 1), clientData("POST", "/signed", "", issued, keyID));
    is(await post("/session", whole), 401, "refused", "invalidSignature");
    const challenges = await challenge("attestation", keyID);
    is(await (await signed("/signed", "", { headers: { "Attest-Challenge": challenges } }))(), 401, "refused", "challengeOfOtherPurpose");
  });

  await check("missing or malformed headers and bodies that are too long are rejected without a query", async () => {
    const before = database.count;
    for (const [name, values] of Object.entries({
      "Attest-Key": ["", "%", "AAAA", keyID.slice(4)], "Attest-Challenge": ["", "%", "AAAA"], "Attest-Assertion": ["%", "A".repeat(5_464)],
    })) {
      for (const value of values) is(await (await signed("/signed", "", { headers: { [name]: value } }))(), 400, "malformedRequest");
    }
    is(await post("/signed"), 400, "malformedRequest", "malformedRequest (Attest-Key)");
    is(await (await signed("/signed", "x".repeat(65_537)))(), 413, "tooLarge");
    is(await (await signed("/signed", "x".repeat(65_536)))(), 413, "tooLarge", "tooLarge");
    const long = `/signed?${"x".repeat(30_000)}`;
    const room = (target) => 65_536 - "POST".length - target.length;
    for (const target of ["/signed", long]) is(await (await signed(target, "x".repeat(room(target) + 1)))(), 413, "tooLarge");
    assert.equal(database.count, before);
    for (const target of ["/signed", long]) assert.equal((await (await signed(target, "x".repeat(room(target))))()).status, 200);
  });

  await check("of concurrent copies of one signed request, one is answered", async () => {
    const headers = await signedHeaders(1, keyID, (counter += 1), "/signed", "x");
    const answers = await Promise.all([[handlerFor(), database], [handlerFor(), secondDatabase], [handlerFor(), database]].map(
      ([party, DB]) => request("POST", "/signed", undefined, { party, at: { ...env, DB }, headers, raw: "x" })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  });

  await check("the Worker admits the same users to enrolment as the server", async () => {
    /** Returns the number of seconds to wait: null for no wait, NaN if the wait is unknown. */
    const waitsOf = (ENROLMENT) => {
      let name;
      const options = { party: handlerFor({}, { account: () => name }), at: { ...env, ENROLMENT } };
      return async (number) => {
        name = `user ${number}`;
        const { status, error, headers } = await post("/challenge", { purpose: "attestation", keyID }, options);
        if (status === 200) return null;
        assert.equal(error, "enrolLater");
        return Number(headers.get("retry-after") ?? NaN);
      };
    };
    const admitted = async (options) => {
      const [wait, numbers] = [waitsOf(options), []];
      for (let number = 0; number < 100; number += 1) if ((await wait(number)) === null) numbers.push(number);
      return numbers;
    };
    // The Swift test EnrolmentTests.placesAreStable expects the same places.
    assert.deepEqual(await admitted({ perThousand: 100 }), [10, 19, 20, 32, 35, 48, 53, 75, 76, 78, 79, 85, 92, 99]);
    assert.notDeepEqual(await admitted({ perThousand: 100, name: "second" }), await admitted({ perThousand: 100 }));
    assert.deepEqual([(await admitted({ perThousand: 0 })).length, (await admitted({ perThousand: 1_000 })).length], [0, 100]);
    const gradual = waitsOf({ from: start, until: start + 1_000 });
    for (let number = 0; number < 50; number += 1) {
      clock.now = start - 1;
      const seconds = await gradual(number);
      assert.ok(seconds >= 1 && seconds <= 1_000);
      clock.now = start - 1 + seconds;
      assert.equal(await gradual(number), null);
      clock.now -= 1;
      assert.notEqual(await gradual(number), null);
    }
  });

  await check("a device that may not enrol yet learns when, only for attestations, also under uniform answers", async () => {
    for (const answers of ["precise", "uniform"]) {
      const at = (ENROLMENT) => ({ party: handlerFor(), at: { ...env, ANSWERS: answers, ENROLMENT } });
      const ask = (options, purpose = "attestation") => post("/challenge", { purpose, keyID }, options);
      const nobody = await ask(at({ perThousand: 0 }));
      is(nobody, 429, "enrolLater", "enrolmentDeferred");
      assert.equal(log.at(-1).step, "enrolment");
      assert.equal(nobody.headers.get("retry-after"), null);
      assert.equal((await ask(at({ perThousand: 0 }), "assertion")).status, 200);
      const later = await ask(at({ from: start + 10, until: start + 20 }));
      is(later, 429, "enrolLater");
      const wait = Number(later.headers.get("retry-after"));
      assert.ok(wait >= 10 && wait <= 20);
      clock.now = start + 20;
      assert.equal((await ask(at({ from: start + 10, until: start + 20 }))).status, 200);
      clock.now = start;
    }
  });

  await check("all Workers share the enrolment rate, and assertions do not count", async () => {
    const paced = { ...env, ENROLMENT: { keysPerSecond: 3 } };
    const parties = [{ party: handlerFor(), at: paced }, { party: handlerFor(), at: { ...paced, DB: secondDatabase } }];
    const ask = (index, purpose = "attestation") => post("/challenge", { purpose, keyID }, parties[index % 2]);
    const statuses = (await Promise.all(Array.from({ length: 8 }, (_, index) => ask(index)))).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429]);
    const answer = await ask(0);
    is(answer, 429, "enrolLater", "enrolmentDeferred");
    assert.equal(answer.headers.get("retry-after"), "1");
    assert.equal((await ask(0, "assertion")).status, 200);
    clock.now += 1;
    assert.equal((await ask(1)).status, 200);
  });

  await check("an account's new keys are limited, and its rejected requests do not use up the enrolment rate", async () => {
    const as = (name) => ({ party: handlerFor({}, { account: () => name }), at: { ...env, ENROLMENT: { keysPerSecond: 11 } } });
    const [zoe, max] = [as("Zoë"), as("Max")];
    const ask = (options) => post("/challenge", { purpose: "attestation", keyID }, options);
    for (let count = 0; count < 10; count += 1) assert.equal((await ask(zoe)).status, 200);
    const answer = await ask(zoe);
    is(answer, 429, "tooManyRequests", "rateLimited");
    assert.equal(answer.headers.get("retry-after"), "60");
    for (let count = 0; count < 5; count += 1) is(await ask(zoe), 429, "tooManyRequests");
    assert.equal((await ask(max)).status, 200);
    is(await ask(max), 429, "enrolLater");
    clock.now += 60;
    assert.equal((await ask(zoe)).status, 200);
    is(await ask(zoe), 429, "tooManyRequests");
  });

  await check("an account whose objects keep failing is limited before verification, and others are not", async () => {
    const as = (name) => ({ party: trusting(3, { account: () => name }), at: { ...env, LIMITS: { FAILURES: { burst: 3, perMinute: 1 } } } });
    const [zoe, max] = [as("Zoë"), as("Max")];
    const made = await enrolled(3, zoe);
    const wrong = async (counter) => ({ ...(await assertion(2, made.keyID, counter, zoe)) });
    for (let count = 1; count <= 3; count += 1) is(await post("/session", await wrong(count), zoe), 401, "refused", "invalidSignature");
    const right = await assertion(3, made.keyID, 1, zoe);
    is(await post("/session", right, zoe), 429, "tooManyRequests", "rateLimited");
    is(await post("/attest", { ...(await attestation(3, zoe)) }, zoe), 429, "tooManyRequests");
    // The rejected requests consume nothing.
    clock.now += 59;
    is(await post("/session", right, zoe), 429, "tooManyRequests");
    clock.now += 1;
    is(await post("/session", right, zoe), 409, "replay", "challengeExpired");
    assert.equal((await post("/session", await assertion(3, made.keyID, 1, zoe), zoe)).status, 200);
    // An overtaken request does not count as a failure.
    for (let count = 0; count < 5; count += 1) is(await post("/session", await assertion(3, made.keyID, 1, zoe), zoe), 409, "overtaken");
    assert.equal((await post("/session", await assertion(3, made.keyID, 2, zoe), zoe)).status, 200);
    is(await post("/session", await assertion(3, made.keyID, 3, max), max), 401, "refused", "keyOfOtherAccount");
  });

  await check("malformed limits are rejected, and buckets stay until they are full again", async () => {
    for (const LIMITS of [
      null, 5, { SOURCES: { burst: 1, perMinute: 1 } }, { OTHER: false }, { KEYS: true }, { KEYS: {} }, { KEYS: { burst: 0, perMinute: 1 } },
      { KEYS: { burst: 1, perMinute: "1" } }, { KEYS: { burst: 1.5, perMinute: 1 } }, { KEYS: { burst: 1, perMinute: 1e9 } }, { PACE: false },
      { KEYS: { burst: NaN, perMinute: 1 } }, { toString: false },
    ]) assert.throws(() => ratesOf(LIMITS), TypeError, JSON.stringify(LIMITS));
    const off = { party: handlerFor(), at: { ...env, LIMITS: { UNATTESTED: false } } };
    const from = { party: handlerFor({}, { clientAddress: () => "192.0.2.7" }), at: { ...env, LIMITS: { UNATTESTED: { burst: 2, perMinute: 1 } } } };
    for (let count = 0; count < 20; count += 1) assert.equal((await post("/unattested", undefined, off)).status, 200);
    for (const status of [200, 200, 429]) assert.equal((await post("/unattested", undefined, from)).status, status);
    // The allowance for failures takes longest to refill: 20 requests, one per minute.
    clock.now = start + 1_199;
    await handlerFor().scheduled({}, env);
    assert.equal(await rows("allowances"), 1);
    clock.now = start + 1_200;
    await handlerFor().scheduled({}, env);
    assert.equal(await rows("allowances"), 0);
  });

  await check("lifetimes can be set as numbers or text", async () => {
    const options = { party: handlerFor(), at: { ...env, CHALLENGE_SECONDS: "300", SESSION_SECONDS: 86_400 } };
    const signedThen = await assertion(1, keyID, (counter += 1), options);
    clock.now += 299;
    const { token, expiresAt } = await post("/session", signedThen, options);
    assert.equal(expiresAt, clock.now + 86_400);
    clock.now = expiresAt - 1;
    assert.equal((await open(token, options)).status, 200);
  });

  await check("wrong settings are configuration errors and make no query", async () => {
    const before = database.count;
    for (const changes of [
      { CHALLENGE_SECONDS: 0 }, { CHALLENGE_SECONDS: 301 }, { CHALLENGE_SECONDS: "" }, { SESSION_SECONDS: 86_401 }, { SESSION_SECONDS: "0x10" },
      { SESSION_SECONDS: 1.5 }, { SESSION_SECONDS: null }, { ENROLMENT: null },
      { ENROLMENT: { perThousand: 1_001 } }, { ENROLMENT: { perThousand: -1 } },
      { ENROLMENT: { perThousand: 1, from: 1, until: 2 } }, { ENROLMENT: { from: 2, until: 1 } }, { ENROLMENT: { from: 1 } },
      { ENROLMENT: { keysPerSecond: 0 } }, { ENROLMENT: { name: 5 } }, { ENROLMENT: { share: 5 } }, { OPERATOR_TOKEN: "short" },
      { OPERATOR_TOKEN: 5 }, { LIMITS: [5] }, { BUDGET: { days: 0, requests: 1, units: 1 } },
    ]) {
      const options = { party: handlerFor(), at: { ...env, ...changes } };
      is(await post("/challenge", { purpose: "attestation", keyID }, options), 503, "serverUnavailable");
      assert.equal(log.at(-1).step, "configuration", JSON.stringify(changes));
    }
    assert.equal(database.count, before);
  });

  await check("the entry point passes each option to the verifier", async () => {
    const ask = async (settings) => {
      const worker = await entryPoint("worker.mjs", { "PureAttestRelyingParty.wasm": process.argv[2] }, JSON.stringify(settings));
      return post("/challenge", { purpose: "assertion", keyID }, { party: worker, at: { ...env, ...settings } });
    };
    const app = { TEAM_ID: "1234567890", BUNDLE_ID: "com.example.myapp", APP_ATTEST_ENVIRONMENT: "production" };
    const all = {
      COUNTER_POLICY: "slidingWindow", LAUNCH_POLICY: { categories: ["appStore"] }, SYSTEM_POLICY: { minimumVersion: "18.0" },
      AGE_POLICY: { maximumKeyAge: 60 }, APPS: [{ appID: "1234567890.com.example.mac", platform: "macOS" }],
    };
    assert.equal((await ask(app)).status, 200);
    assert.equal((await ask({ ...app, ...all })).status, 200);
    const wrong = {
      TEAM_ID: undefined, BUNDLE_ID: undefined, APP_ATTEST_ENVIRONMENT: "sandbox", COUNTER_POLICY: "lax", APPS: [{}],
      LAUNCH_POLICY: { unknown: 1 }, SYSTEM_POLICY: { unknown: 1 }, AGE_POLICY: { unknown: 1 },
    };
    assert.deepEqual(Object.keys(wrong).sort(), Object.keys({ ...app, ...all }).sort());
    for (const [name, value] of Object.entries(wrong)) is(await ask({ ...app, [name]: value, a: name }), 503, "serverUnavailable");
  });

  await check("wrangler.toml and the article have every setting that the code reads, and wrangler.toml has no others", () => {
    const folder = new URL("../", import.meta.url);
    const read = (path) => readFileSync(new URL(path, folder), "utf8");
    const code = readdirSync(folder).filter((name) => name.endsWith(".mjs")).map(read).join("\n");
    const reads = /\benv\.([A-Z_]+)|(?:among|number)\(env, "([A-Z_]+)"|"(SOURCES|KEYS|REQUESTS|ENROLMENTS|PACE|UNATTESTED)"/g;
    const names = new Set([...code.matchAll(reads)].map(([, name, other, limiter]) => name ?? other ?? `${limiter}_LIMITER`));
    for (const [, list] of code.matchAll(/const \{([^}]*)\} = env;/g)) for (const [name] of list.matchAll(/\b[A-Z_]{2,}\b/g)) names.add(name);
    assert.ok(names.size >= 30, String(names.size));
    const config = read("wrangler.toml");
    const article = read("../../PureAttest/PureAttest.docc/SampleWorker.md");
    for (const name of names) {
      assert.match(config, new RegExp(`\\b${name}\\b`), name);
      assert.ok(article.includes(`\`${name}\``), name);
    }
    for (const [, name] of config.matchAll(/^(?:# )?(?:\[vars\.)?([A-Z][A-Z_]+)(?: = |\])/gm)) {
      // REGISTRATIONS and FAILURES are not settings, but names of limits in the setting LIMITS.
      assert.ok(names.has(name) || names.has(`${name}_LIMITER`) || ["REGISTRATIONS", "FAILURES"].includes(name), name);
    }
  });

  await check("the operator lists an account's keys in pages, and revokes one key or all permanently", async () => {
    const operated = { ...env, OPERATOR_TOKEN: "sixteen characters!" };
    const headers = { authorization: "Bearer sixteen characters!" };
    const as = (name, seed) => ({ party: trusting(seed, { account: () => name }), at: operated });
    const keys = [];
    for (const seed of [6, 7, 8]) {
      const made = await attestation(seed, as("Mia", seed));
      const { token } = await post("/attest", made, as("Mia", seed));
      keys.push({ keyID: made.keyID, token, seed });
    }
    const party = handlerFor();
    const ask = (path, body) => post(path, body, { party, at: operated, headers });
    const list = await ask("/operator/keys", { account: "Mia" });
    const inOrder = keys.map(({ keyID }) => keyID).sort((a, b) => Buffer.compare(Buffer.from(a, "base64"), Buffer.from(b, "base64")));
    assert.deepEqual(list.keys, inOrder.map((keyID) => ({ keyID, registeredAt: start, lastUsedAt: null, revokedAt: null })));
    assert.deepEqual((await ask("/operator/keys", { account: "Mia", after: inOrder[0] })).keys.map(({ keyID }) => keyID), inOrder.slice(1));
    assert.deepEqual((await ask("/operator/keys", { account: "mia" })).keys, []);
    assert.equal((await ask("/operator/revoke", { keyID: keys[0].keyID })).revoked, 1);
    assert.equal((await ask("/operator/revoke", { keyID: keys[0].keyID })).revoked, 0);
    is(await open(keys[0].token, { party, at: operated }), 401, "refused", "deniedToken");
    assert.equal((await open(keys[1].token, { party, at: operated })).status, 200);
    // `consumed_tokens` also contains the key, so that the key stays revoked if the database is restored from a backup.
    const { until_time: until } = await database.prepare("SELECT until_time FROM consumed_tokens WHERE id = ?1").bind(blob(keys[0].keyID)).first();
    assert.equal(until, start + 87_000);
    assert.equal((await ask("/operator/revoke", { account: "Mia" })).revoked, 2);
    is(await open(keys[1].token, { party, at: operated }), 401, "refused", "deniedToken");
    is(await post("/session", await assertion(7, keys[1].keyID, 1, as("Mia", 7)), as("Mia", 7)), 401, "refused", "revokedKey");
    assert.ok((await ask("/operator/keys", { account: "Mia" })).keys.every(({ revokedAt }) => revokedAt === start));
    for (const body of [{}, { keyID: "AAAA" }, { keyID, account: "Mia" }, { account: "x".repeat(257) }]) {
      is(await ask("/operator/revoke", body), 400, "malformedRequest");
    }
    is(await ask("/operator/keys", { account: "Mia", after: "AAAA" }), 400, "malformedRequest");
  });

  await check("only the operator's token opens these routes, and without the setting they do not exist", async () => {
    const operated = { party: handlerFor(), at: { ...env, OPERATOR_TOKEN: "sixteen characters!" } };
    const token = await sessionToken(1, keyID, (counter += 1));
    for (const path of ["/operator/keys", "/operator/revoke"]) {
      for (const headers of [{}, bearer(""), bearer("sixteen characters"), bearer("sixteen characters!!"), bearer(token)]) {
        is(await post(path, { account: "Mia" }, { ...operated, headers }), 401, "refused", "invalidToken");
      }
      is(await post(path, { account: "Mia" }, { headers: bearer("sixteen characters!") }), 404, "notFound");
    }
    is(await open(claimsOf(token).jti), 401, "refused", "invalidToken");
    assert.ok(!JSON.stringify(log).includes("sixteen characters!"));
  });
});
