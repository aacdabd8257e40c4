// Runs the sample Worker in Node: node worker.mjs TEST_MODULE PURE_ATTEST. Its store is a real SQLite behind D1's
// interface, its clients are virtual devices of `pure-attest simulate`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHmac, webcrypto } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandler } from "../Worker/handler.mjs";
import * as sql from "../Worker/statements.mjs";
import { D1Database } from "./d1.mjs";
import { Checks, compile, readJSON } from "./support.mjs";
import { instantiateTrusting } from "./test-roots.mjs";

globalThis.crypto ??= webcrypto; // Node 18
const [modulePath, tool] = process.argv.slice(2);
const module = compile(modulePath);
const folder = mkdtempSync(join(tmpdir(), "pure-attest-"));
const checks = new Checks();
const check = (name, body) => checks.run(name, body);
const database = new D1Database();

/** Objects of the virtual device with this seed. */
function simulate(seed, command, ...options) {
  execFileSync(tool, ["simulate", command, "--seed", String(seed), "--out", folder, "--app-id", appID, ...options]);
  const { attestation, keyID, assertions, testAnchor } = readJSON(
    join(folder, command === "attest" ? "attestation.json" : "assertion.json"));
  return { attestation, keyID, assertion: assertions?.[0]?.assertion, testAnchor };
}

const appID = "TEST123456.com.example.app";
let now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const env = { DB: database, SESSION_KEY: Buffer.alloc(32, 7).toString("base64") };

try {
  for (const statement of sql.SCHEMA) await database.prepare(statement).run();

  const device = simulate(1, "attest", "--challenge", "text:x");
  const handlerFor = (options) => createHandler(
    () => instantiateTrusting(module, device.testAnchor, options), { clock: () => now, log: () => {} });
  const handler = handlerFor({ appID, environment: "production" });
  const request = async (method, path, body, headers = {}, party = handler) => {
    const response = await party.fetch(
      new Request(`https://worker.example${path}`, { method, headers, body: body && JSON.stringify(body) }), env);
    return { status: response.status, ...(await response.json()) };
  };
  const post = (path, body) => request("POST", path, body);
  const challenge = async (purpose, keyID) => {
    const { status, id, challenge } = await post("/challenge", { purpose, keyID });
    assert.equal(status, 200);
    assert.equal(Buffer.from(challenge, "base64").length, 32);
    return { id, challenge };
  };
  const attestation = async (seed) => {
    const { keyID } = simulate(seed, "attest", "--challenge", "text:x");
    const issued = await challenge("attest", keyID);
    const made = simulate(seed, "attest", "--challenge", issued.challenge);
    return { challengeID: issued.id, keyID, attestation: made.attestation };
  };
  const assertion = async (seed, keyID, counter) => {
    const issued = await challenge("assert", keyID);
    const { assertion } = simulate(seed, "assert", "--client-data", issued.challenge, "--counter", String(counter));
    return { challengeID: issued.id, keyID, assertion, clientData: issued.challenge };
  };
  const is = (answer, status, code) => assert.deepEqual([answer.status, answer.code], [status, code]);

  let registered;
  await check("a key registers once, with its challenge", async () => {
    registered = await attestation(1);
    assert.equal((await post("/attest", registered)).status, 201);
    is(await post("/attest", registered), 409, "replay");
    // The same key with a new challenge keeps its record.
    is(await post("/attest", await attestation(1)), 401, "refused");
  });

  await check("an attestation for another challenge, key or purpose is refused, and spends the challenge", async () => {
    const other = await attestation(2);
    const stranger = await challenge("attest", other.keyID);
    is(await post("/attest", { ...other, challengeID: stranger.id }), 401, "refused");
    is(await post("/attest", { ...other, challengeID: stranger.id }), 409, "replay");
    const forRegistered = await challenge("attest", registered.keyID);
    is(await post("/attest", { ...other, challengeID: forRegistered.id }), 401, "refused");
    const forAssertion = await challenge("assert", other.keyID);
    is(await post("/attest", { ...other, challengeID: forAssertion.id }), 401, "refused");
    now += 60;
    is(await post("/attest", other), 409, "replay");
    now -= 60;
  });

  let token;
  await check("an assertion opens a session, and the session the door", async () => {
    const answer = await post("/session", await assertion(1, registered.keyID, 1));
    assert.equal(answer.status, 200);
    assert.equal(answer.expiresAt, now + 900);
    token = answer.token;
    const opened = await request("GET", "/protected", undefined, { authorization: `Bearer ${token}` });
    assert.deepEqual(opened, { status: 200, keyID: registered.keyID });
  });

  await check("a recorded assertion, an old counter and a changed request are refused", async () => {
    const recorded = await assertion(1, registered.keyID, 2);
    assert.equal((await post("/session", recorded)).status, 200);
    is(await post("/session", recorded), 409, "replay");
    const { id } = await challenge("assert", registered.keyID);
    is(await post("/session", { ...recorded, challengeID: id }), 409, "replay");
    is(await post("/session", await assertion(1, registered.keyID, 2)), 409, "replay");
    const changed = await assertion(1, registered.keyID, 3);
    is(await post("/session", { ...changed, clientData: Buffer.alloc(32).toString("base64") }), 401, "refused");
    const otherDevice = await assertion(2, registered.keyID, 3);
    is(await post("/session", otherDevice), 401, "refused");
    const late = await assertion(1, registered.keyID, 3);
    now += 60;
    is(await post("/session", late), 409, "replay");
  });

  await check("of two requests with one counter value one wins", async () => {
    const [first, second] = [await assertion(1, registered.keyID, 4), await assertion(1, registered.keyID, 4)];
    const answers = await Promise.all([post("/session", first), post("/session", second)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  await check("an unknown key is told to attest", async () => {
    const { keyID } = simulate(3, "attest", "--challenge", "text:x");
    is(await post("/session", await assertion(3, keyID, 1)), 401, "unknownKey");
  });

  const open = (value, party) =>
    request("GET", "/protected", undefined, value && { authorization: `Bearer ${value}` }, party);

  await check("a token opens nothing for another app or environment, in any order of the apps", async () => {
    const other = "TEST123456.com.example.other";
    assert.equal((await open(token)).status, 200);
    for (const apps of [[{ appID }, { appID: other }], [{ appID: other }, { appID }]]) {
      assert.equal((await open(token, handlerFor({ apps, environment: "production" }))).status, 200);
    }
    is(await open(token, handlerFor({ appID: other, environment: "production" })), 401, "refused");
    is(await open(token, handlerFor({ appID, environment: "development" })), 401, "refused");
  });

  await check("claims that are absent, of another type or of another layout open nothing, whoever signed them", async () => {
    const [header, payload] = token.split(".");
    const text = Buffer.from(payload, "base64url").toString();
    const claims = JSON.parse(text);
    assert.deepEqual(Object.keys(claims), ["iss", "sub", "aud", "env", "iat", "exp", "jti"]);
    const sign = (text) => {
      const content = `${header}.${Buffer.from(text).toString("base64url")}`;
      return `${content}.${createHmac("sha256", Buffer.alloc(32, 7)).update(content).digest("base64url")}`;
    };
    const withClaims = (changes) => sign(JSON.stringify({ ...claims, ...changes }));
    assert.equal((await open(sign(text))).status, 200);
    assert.equal((await open(withClaims({ exp: now + 1 }))).status, 200);
    for (const name of Object.keys(claims)) {
      for (const value of [undefined, null, "", "x", `${claims[name]}`, [claims[name]], {}, true, 1, -1, 1.5]) {
        if (value === claims[name]) continue;
        // Any text names a token, and any time may be that of issue, as long as they are a text and a time.
        if (name === "jti" && typeof value === "string") continue;
        if (name === "iat" && Number.isSafeInteger(value)) continue;
        const answer = await open(withClaims({ [name]: value }));
        assert.ok([400, 401].includes(answer.status), `${name}: ${JSON.stringify(value)}: ${answer.status}`);
      }
    }
    const texts = [
      "null", "1", "[]", "{}", '""', "", "x", ` ${text}`, text.replace("{", '{"exp":9e15,'), text.replace("}", ',"exp":9e15}'),
      text.replace("}", ',"admin":true}'), text.replace(String(claims.exp), "1e300"), text.replace(String(claims.exp), "NaN"),
      text.replace(String(claims.exp), `${claims.exp}.0`),
    ];
    for (const changed of texts) {
      assert.notEqual(changed, text);
      is(await open(sign(changed)), 401, "refused");
    }
  });

  await check("a token that is expired, denied or not ours opens nothing", async () => {
    const [header, payload, mac] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url"));
    const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    is(await open(undefined), 401, "refused");
    is(await open(`${encode({ alg: "none" })}.${payload}.${mac}`), 401, "refused");
    is(await open(`${header}.${encode({ ...claims, exp: claims.exp + 1 })}.${mac}`), 401, "refused");
    is(await open(`${header}.${payload}.AAAA`), 401, "refused");
    now = claims.exp - 1;
    assert.equal((await open(token)).status, 200);
    now = claims.exp;
    is(await open(token), 401, "refused");
    now = claims.exp - 1;
    const id = new TextEncoder().encode(claims.jti).buffer;
    await database.prepare(sql.denyToken).bind(id, claims.exp).run();
    is(await open(token), 401, "refused");
  });

  await check("a key older than the configuration allows opens no session", async () => {
    const aged = createHandler(
      () => instantiateTrusting(
        module, device.testAnchor, { appID, environment: "production", agePolicy: { maximumKeyAge: 3_600 } }),
      { clock: () => now, log: () => {} });
    const open = async (counter) => {
      const body = JSON.stringify(await assertion(1, registered.keyID, counter));
      const response = await aged.fetch(new Request("https://worker.example/session", { method: "POST", body }), env);
      return { status: response.status, ...(await response.json()) };
    };
    const registeredAt = Date.parse("2026-09-15T12:00:00Z") / 1000;
    now = registeredAt + 3_601;
    is(await open(5), 401, "refused");
    now = registeredAt + 3_600;
    assert.equal((await open(5)).status, 200);
  });

  await check("malformed requests are answered, not thrown", async () => {
    is(await post("/challenge", { purpose: "other", keyID: "" }), 400, "refused");
    is(await post("/challenge", { purpose: "attest", keyID: "%" }), 400, "refused");
    is(await post("/attest", { keyID: "AAAA" }), 400, "refused");
    is(await post("/attest", "x".repeat(100_001)), 400, "refused");
    is(await request("GET", "/attest"), 404, "notFound");
    is(await post("/attest", { ...registered, attestation: "AAAA", challengeID: (await challenge("attest", registered.keyID)).id }), 401, "refused");
  });

  await check("a token of a key that was revoked, or that the database has not, opens nothing", async () => {
    const session = await post("/session", await assertion(1, registered.keyID, 6));
    assert.equal((await open(session.token)).status, 200);
    const keyID = new Uint8Array(Buffer.from(registered.keyID, "base64")).buffer;
    // An operator's statement.
    await database.prepare("UPDATE attested_keys SET revoked_at = ?2 WHERE key_id = ?1 AND revoked_at IS NULL")
      .bind(keyID, now).run();
    is(await open(session.token), 401, "refused");
    is(await post("/session", await assertion(1, registered.keyID, 7)), 401, "refused");
    await database.prepare("DELETE FROM attested_keys WHERE key_id = ?1").bind(keyID).run();
    is(await open(session.token), 401, "unknownKey");
  });
} finally {
  database.close();
  rmSync(folder, { recursive: true });
}
console.log(`${checks.count} checks of the sample Worker passed`);
