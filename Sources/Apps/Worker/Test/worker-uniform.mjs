// Tests the Worker's answers, and their timing, for keys in rows that the Worker cannot use: node worker-uniform.mjs
// TEST_MODULE PURE_ATTEST. Such rows belong to Android devices, to the other environment or to later versions, or are
// damaged.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { RelyingParty } from "../../../Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { sessionKeys } from "../settings.mjs";
import {
  assertion, attestation, blob, check, database, enrolled, env, handlerFor, is, log, post, request, runChecks, signedHeaders, sql, start,
  verifierFor,
} from "./worker-support.mjs";

await runChecks("the Worker's answers for unusable rows", async () => {
  const { keyID } = await enrolled(1);
  const { record } = await database.prepare(sql.selectKey).bind(blob(keyID)).first();
  const set = (bytes) => database.prepare("UPDATE attested_keys SET record = ?2 WHERE key_id = ?1").bind(blob(keyID), Uint8Array.from(bytes).buffer).run();
  const changed = (index, value) => record.map((byte, at) => (at === index ? value : byte));

  // The format of AttestedAndroidKey.serialized: version 1, a trusted environment, provisioned in the factory, a time,
  // and a P-256 key.
  const android = [1, 1, 1, ...Array(8).fill(0), 1, 0x61, 1, ...record.slice(34, 99)];
  /** Rows that the Worker can parse: name, record, reason, and the word in precise answers. */
  const readable = [
    ["Android, production", [0xA1, ...android], "unknownKey", "unknownKey"],
    ["Android, development", [0xA2, ...android], "unknownKey", "unknownKey"],
    ["the other environment", changed(1, 2), "keyOfOtherEnvironment", "refused"],
  ];
  /** Rows that the Worker cannot parse, which is the server's fault. */
  const damaged = [
    ["an Android mark and nothing else", [0xA1]],
    ["no environment", changed(1, 3)],
    ["a later version", changed(0, 9)],
    ["the other mark of Android's", changed(0, 0xA3)],
    ["nothing", []],
    ["one byte", [1]],
    ["one byte less", record.slice(0, -1)],
    ["more than any record has", [...record, ...Array(2_000).fill(0)]],
    ["a point off the curve", changed(98, record[98] ^ 1)],
    ["a field of a later version", [2, ...record.slice(1, 111), 9, 1, 0]],
  ];
  const unknown = Buffer.alloc(32, 1).toString("base64");

  await check("under uniform answers each row that can be read is rejected alike", async () => {
    const uniform = { party: handlerFor(), at: { ...env, ANSWERS: "uniform" } };
    for (const [, bytes, reason] of [["no row", undefined, "unknownKey"], ...readable]) {
      if (bytes) await set(bytes);
      const named = bytes ? keyID : unknown;
      is(await post("/session", await assertion(1, named, 1, uniform), uniform), 401, "refused", reason);
      const headers = await signedHeaders(1, named, 1, "/signed", "x", uniform);
      is(await request("POST", "/signed", undefined, { ...uniform, headers, raw: "x" }), 401, "refused", reason);
    }
    await set(record);
  });

  await check("under uniform answers a row that can be read takes the time of one verification, and under precise ones of none", async () => {
    const row = Object.values(await database.prepare(sql.selectKey).bind(blob(keyID)).first());
    const { challenge, assertion: wrong } = await assertion(2, keyID, 1);
    const bytes = (value) => (Array.isArray(value) ? Uint8Array.from(value) : value);
    const request = Object.fromEntries(
      Object.entries({ keyID, challenge, assertion: wrong }).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, "base64"))]));
    /** Returns a function that measures a rejection of a request with this row's key, in milliseconds. */
    const timing = async (answerPolicy, record, reason) => {
      const rows = async (name) => (name === "selectKey" && record ? [[record, ...row.slice(1)].map(bytes)] : []);
      const party = new RelyingParty(await verifierFor(), { store: { rows }, answerPolicy, sessionKeys: sessionKeys(env), clock: () => start });
      return async () => {
        const began = performance.now();
        await assert.rejects(party.authenticate(request), { reason });
        return performance.now() - began;
      };
    };
    const whole = await timing("uniform", record, "invalidSignature");
    for (const [name, bytes, reason] of [["no row", undefined, "unknownKey"], ...readable]) {
      const [uniform, precise] = [await timing("uniform", bytes, reason), await timing("precise", bytes, reason)];
      const ratios = [[], []];
      // The engine recompiles code while it runs, and other programs use the processor. So measure all answers
      // alternately, and compare the medians of the last third.
      for (let count = 0; count < 900; count += 1) {
        const time = await whole();
        const rejected = await uniform();
        ratios[0].push(rejected / time);
        // Parsing a row takes up to half of the time, and most for an Android row. So also compare the difference between
        // the uniform and the precise rejection of a row. For every row, it is the time of one verification.
        ratios[1].push((rejected - (await precise())) / time);
      }
      const medians = ratios.map((list) => list.slice(600).sort((a, b) => a - b)[150]);
      assert.ok(medians[0] > 0.6 && medians[0] < 1.6 && medians[1] > 0.3 && medians[1] < 0.65, `${name}: ${medians.join(", ")}`);
    }
  });

  await check("each row that can be read counts as one failure of the account", async () => {
    for (const [, bytes] of [["no row"], ...readable]) {
      const options = {
        party: handlerFor({}, { account: () => "Zoë" }), at: { ...env, ANSWERS: "uniform", LIMITS: { FAILURES: { burst: 2, perMinute: 1 } } },
      };
      const named = bytes ? keyID : unknown;
      if (bytes) await set(bytes);
      await database.prepare("DELETE FROM allowances").run();
      const ask = async () => post("/session", await assertion(1, named, 1, options), options);
      for (let count = 1; count <= 2; count += 1) is(await ask(), 401, "refused");
      is(await ask(), 429, "tooManyRequests");
    }
    await set(record);
  });

  await check("precise answers tell the device what to do", async () => {
    for (const [, bytes, reason, word] of readable) {
      await set(bytes);
      is(await post("/session", await assertion(1, keyID, 1)), 401, word, reason);
    }
    await set(record);
  });

  await check("a row that cannot be read is the server's failure, under either policy, and the device keeps its key", async () => {
    assert.equal(damaged.length, 10);
    for (const [name, bytes] of damaged) {
      await set(bytes);
      for (const ANSWERS of ["precise", "uniform"]) {
        const options = { party: handlerFor(), at: { ...env, ANSWERS } };
        is(await post("/session", await assertion(1, keyID, 1, options), options), 503, "serverUnavailable");
        assert.deepEqual([log.at(-1).step, log.at(-1).reason], ["server", "the store returned a malformed row for selectKey"], name);
      }
      is(await post("/attest", await attestation(1)), 503, "serverUnavailable");
      assert.deepEqual((await database.prepare(sql.selectKey).bind(blob(keyID)).first()).record, bytes);
    }
    await set(record);
    assert.equal((await post("/session", await assertion(1, keyID, 1))).status, 200);
    await set(record);
  });

  await check("an attested key whose row is of another platform or environment is rejected, and the row stays", async () => {
    for (const [, bytes, reason, word] of readable) {
      await set(bytes);
      is(await post("/attest", await attestation(1)), 401, word, reason);
      assert.deepEqual((await database.prepare(sql.selectKey).bind(blob(keyID)).first()).record, bytes);
    }
    await set(record);
  });

  await check("the operator's list has Android keys too, and a row that cannot be read makes it fail", async () => {
    const operated = { ...env, OPERATOR_TOKEN: "sixteen characters!" };
    const headers = { authorization: "Bearer sixteen characters!" };
    // The identifier of an Android key is the SHA-256 hash of the key's DER SubjectPublicKeyInfo.
    const der = [...Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex"), ...record.slice(34, 99)];
    const androidID = createHash("sha256").update(Uint8Array.from(der)).digest("base64");
    await database.prepare(
      "INSERT INTO attested_keys (key_id, record, counter, account, receipt, receipt_due_at, registered_at) VALUES (?1, ?2, 0, ?3, ?4, NULL, ?5)",
    ).bind(blob(androidID), Uint8Array.of(0xA1, ...android).buffer, Uint8Array.from(Buffer.from("Zoë")).buffer, new ArrayBuffer(0), start).run();
    await database.prepare("UPDATE attested_keys SET account = ?2 WHERE key_id = ?1").bind(blob(keyID), Uint8Array.from(Buffer.from("Zoë")).buffer).run();
    const list = () => post("/operator/keys", { account: "Zoë" }, { party: handlerFor(), at: operated, headers });
    assert.deepEqual((await list()).keys.map((key) => key.keyID).sort(), [androidID, keyID].sort());
    await set([]);
    is(await list(), 503, "serverUnavailable", "the store returned a malformed row for selectKeys");
    // To revoke keys, the Worker does not have to parse their rows.
    assert.equal((await post("/operator/revoke", { account: "Zoë" }, { party: handlerFor(), at: operated, headers })).revoked, 2);
  });
});
