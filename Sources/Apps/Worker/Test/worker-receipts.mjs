// Tests the scheduled requests for receipts: node worker-receipts.mjs TEST_MODULE PURE_ATTEST. A local server replaces
// Apple's server.
import assert from "node:assert/strict";
import { createVerify, generateKeyPairSync } from "node:crypto";
import { D1Database } from "./d1.mjs";
import { address, answerWith, close, model as apple, received as asked } from "./model.mjs";
import {
  assertion, attestation, blob, check, clock, database, enrolled, env, handlerFor, log, migrate, post, rows, runChecks, secondDatabase, simulate,
  start, trusting,
} from "./worker-support.mjs";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p8 = privateKey.export({ type: "pkcs8", format: "pem" });
const settings = {
  ...env, TEAM_ID: "TEST123456", DEVICECHECK_KEY: p8, DEVICECHECK_KEY_ID: "ABC123DEFG", RECEIPTS_URL: new URL("/v1/attestationData", address).href,
};
const row = (keyID) => database.prepare("SELECT receipt, receipt_due_at FROM attested_keys WHERE key_id = ?1").bind(blob(keyID)).first();
const outcomes = () => log.filter(({ task }) => task === "receipts");
const text = (bytes) => Buffer.from(bytes).toString("base64");

await runChecks("the Worker's receipts", async () => {
  const risks = [];
  const party = handlerFor({}, { risk: (receipt) => risks.push(receipt) });
  const run = async (options = {}) => {
    log.length = 0;
    asked.length = 0;
    await (options.party ?? party).scheduled({}, options.at ?? settings);
    return outcomes();
  };
  const { keyID } = await enrolled(1);
  // A day later, the same device attests the same key again, and gets a receipt with that time.
  const later = start + 86_400;
  const receiptOf = async (seed, time) => {
    const other = await migrate(new D1Database());
    const options = { party: trusting(seed), at: { ...env, DB: other } };
    clock.now = time;
    const { keyID, challenge: issued } = await attestation(seed, options);
    const object = simulate(seed, "attest", "--challenge", issued, "--time", new Date(time * 1_000).toISOString().replace(".000", ""));
    assert.equal((await post("/attest", { keyID, challenge: issued, attestation: object.attestation }, options)).status, 200);
    const { receipt } = await other.prepare("SELECT receipt FROM attested_keys").first();
    other.close();
    return text(receipt);
  };
  const newer = await receiptOf(1, later);
  const dueNow = () => database.prepare("UPDATE attested_keys SET receipt_due_at = ?1").bind(clock.now).run();

  await check("a receipt goes to Apple's address with a token that the DeviceCheck key signed, and the new receipt is verified and stored", async () => {
    const { receipt: before } = await row(keyID);
    clock.now = later;
    apple.answer = answerWith(` ${newer}\r\n`);
    const [entry] = await run();
    assert.deepEqual([entry.outcome, entry.keyID, entry.riskMetric], ["refreshed", keyID, risks[0].riskMetric]);
    const [{ method, url, headers: { authorization: token }, text: body }] = asked;
    assert.deepEqual([asked.length, method, url, body], [1, "POST", "/v1/attestationData", text(before)]);
    const [head, claims, signature] = token.split(".");
    assert.equal(Buffer.from(head, "base64url").toString(), '{"alg":"ES256","kid":"ABC123DEFG","typ":"JWT"}');
    assert.equal(Buffer.from(claims, "base64url").toString(), `{"iss":"TEST123456","iat":${later}}`);
    const verifies = createVerify("sha256").update(`${head}.${claims}`).verify(
      { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
    assert.ok(verifies);
    const after = await row(keyID);
    assert.equal(text(after.receipt), newer);
    assert.equal(after.receipt_due_at, Math.max(risks[0].notBefore ?? later + 86_400, later + 600));
    assert.deepEqual([text(risks[0].keyID), Math.abs(risks[0].creationTime - later) <= 300, risks.length], [keyID, true, 1]);
    assert.deepEqual([(await run()).length, asked.length], [0, 0]);
    assert.ok(!JSON.stringify(log).includes(token));
  });

  await check("each answer from Apple determines the time of the next request", async () => {
    clock.now = later;
    for (const [[status, body, headers], outcome, dueAt] of [
      [[304, ""], "notYetDue", later + 86_400], [[400, "x"], "renewalRequired", null], [[404, ""], "gone", later + 604_800],
      [[401, ""], "due", later + 600], [[429, ""], "due", later + 600], [[500, ""], "due", later + 600], [[503, ""], "due", later + 600],
      [[302, "", { location: "/elsewhere" }], "due", later + 600], [[418, newer], "due", later + 600], [[200, ""], "due", later + 600],
      [[200, "<html>"], "due", later + 600], [[200, "A".repeat(200_000)], "due", later + 600],
      [[200, "MAD/"], "refused", later + 86_400], [[200, `${newer}%`], "due", later + 600],
    ]) {
      await dueNow();
      apple.answer = answerWith(body, { status, headers });
      const [entry] = await run();
      const described = `${status} ${body.slice(0, 10)}`;
      assert.equal(entry.outcome, outcome, described);
      assert.equal((await row(keyID)).receipt_due_at, dueAt, described);
      assert.equal(text((await row(keyID)).receipt), newer);
      // A redirect would send the token to another address.
      assert.equal(asked.length, 1);
    }
  });

  await check("a receipt of another device or time is rejected, and the old one is kept for a day", async () => {
    const others = await receiptOf(2, start);
    clock.now = later;
    for (const [body, now] of [[others, later], [newer, risks[0].creationTime + 301]]) {
      clock.now = now;
      await dueNow();
      apple.answer = answerWith(body);
      const [entry] = await run();
      assert.equal(entry.outcome, "refused");
      assert.equal((await row(keyID)).receipt_due_at, now + 86_400);
      assert.equal(text((await row(keyID)).receipt), newer);
    }
    assert.equal(risks.length, 1);
  });

  await check("if Apple is unreachable, the claim expires, and a receipt that was replaced meanwhile stays", async () => {
    clock.now = later;
    await dueNow();
    const [entry] = await run({ party: handlerFor(), at: { ...settings, RECEIPTS_URL: "http://127.0.0.1:9/" } });
    assert.deepEqual([entry.outcome, (await row(keyID)).receipt_due_at], ["failed", later + 600]);
    assert.deepEqual(await run(), []);
    clock.now = later + 600;
    apple.answer = async (response) => {
      await secondDatabase.prepare("UPDATE attested_keys SET receipt = x'01'").run();
      await answerWith("", { status: 304 })(response);
    };
    assert.equal((await run()).length, 1);
    assert.equal(text((await row(keyID)).receipt), "AQ==");
  });

  await check("concurrent Workers refresh receipts of different keys, in batches, and skip revoked keys", async () => {
    const keyIDs = [];
    for (let seed = 10; seed < 15; seed += 1) {
      const object = simulate(seed, "attest", "--challenge", "text:x");
      keyIDs.push(object.keyID);
      await database.prepare(
        "INSERT INTO attested_keys SELECT ?1, record, 0, NULL, receipt, ?2, ?2, NULL, ?3 FROM attested_keys WHERE key_id = ?4",
      ).bind(blob(object.keyID), start, seed === 14 ? start : null, blob(keyID)).run();
    }
    await database.prepare("UPDATE attested_keys SET receipt_due_at = NULL WHERE key_id = ?1").bind(blob(keyID)).run();
    apple.answer = answerWith("", { status: 500 });
    log.length = 0;
    asked.length = 0;
    const at = { ...settings, RECEIPTS_PER_RUN: 2 };
    await Promise.all([handlerFor().scheduled({}, at), handlerFor().scheduled({}, { ...at, DB: secondDatabase })]);
    assert.equal(asked.length, 4);
    const due = (await database.prepare("SELECT count(*) AS count FROM attested_keys WHERE receipt_due_at = ?1").bind(start + 600).first()).count;
    assert.equal(due, 4);
    await run();
    assert.equal(asked.length, 0);
    await database.prepare("DELETE FROM attested_keys WHERE key_id <> ?1").bind(blob(keyID)).run();
  });

  await check("a Worker leaves the receipts of the other environment to that environment's Worker", async () => {
    await dueNow();
    const before = (await row(keyID)).receipt_due_at;
    assert.deepEqual(await run({ party: handlerFor({ environment: "development" }) }), []);
    assert.deepEqual([asked.length, (await row(keyID)).receipt_due_at], [0, before]);
  });

  await check("without settings no request is made, and wrong settings do not stop the other tasks", async () => {
    await dueNow();
    assert.deepEqual(await run({ at: env }), []);
    const other = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export({ type: "pkcs8", format: "pem" });
    for (const changes of [
      { DEVICECHECK_KEY: undefined }, { DEVICECHECK_KEY: "x" }, { DEVICECHECK_KEY: other }, { DEVICECHECK_KEY_ID: undefined },
      { DEVICECHECK_KEY_ID: 'A"B' }, { TEAM_ID: undefined }, { RECEIPTS_URL: "nowhere" }, { RECEIPTS_PER_RUN: 0 }, { RECEIPTS_PER_RUN: 61 },
    ]) {
      await database.prepare("INSERT OR IGNORE INTO consumed_tokens (id, until_time) VALUES (x'00', 1)").run();
      const at = { ...settings, ...changes };
      log.length = 0;
      await assert.rejects(handlerFor().scheduled({}, at), JSON.stringify(changes));
      assert.deepEqual(outcomes().map(({ outcome }) => outcome), ["failed"]);
      assert.equal(await database.prepare("SELECT 1 FROM consumed_tokens WHERE id = x'00'").first(), null);
    }
    assert.equal(asked.length, 0);
    assert.ok(!JSON.stringify(log).includes(p8.split("\n")[1]));
  });

  await check("a failure to clean one table does not stop the others", async () => {
    const none = { bind: () => { throw new Error("D1_ERROR: no"); } };
    const failing = { ...env, DB: { prepare: (sql) => (/DELETE FROM consumed_tokens/.test(sql) ? none : database.prepare(sql)) } };
    await post("/unattested");
    clock.now = start + 100_000;
    log.length = 0;
    await assert.rejects(party.scheduled({}, failing), /D1_ERROR: no/);
    assert.deepEqual(log.map(({ task, table, outcome }) => task ?? `${table} ${outcome ?? "done"}`), ["consumed_tokens", "allowances done", "budget_periods done"]);
    assert.equal(await rows("allowances"), 0);
    clock.now = start;
    assert.equal((await post("/session", await assertion(1, keyID, 1))).status, 200);
  });
}, close);
