// Tests the Worker's answers for rows that it cannot use, and their timing: node worker-uniform.mjs TEST_MODULE
// PURE_ATTEST. One database may have rows of Android devices, of the other environment, of later versions, and damaged
// rows.
import assert from "node:assert/strict";
import { createHandler } from "../handler.mjs";
import * as sql from "../statements.mjs";
import {
  assertion, attestation, blob, challenge, check, clientData, clock, database, env, handlerFor, is, log, post, request, runChecks, sign, start,
  verifierFor,
} from "./worker-support.mjs";

await runChecks("the Worker's answers for unusable rows", async () => {
  const { keyID } = await (async () => {
    const made = await attestation(1);
    assert.equal((await post("/attest", made)).status, 200);
    return made;
  })();
  const { record } = await database.prepare(sql.selectKey).bind(blob(keyID)).first();
  const set = (bytes) => database.prepare("UPDATE attested_keys SET record = ?2 WHERE key_id = ?1").bind(blob(keyID), Uint8Array.from(bytes).buffer).run();
  const changed = (index, value) => record.map((byte, at) => (at === index ? value : byte));

  /** The result of each verification; a valid signature by another key is "invalidSignature". */
  const verified = [];
  const watched = (surroundings) => createHandler(async () => {
    const verifier = await verifierFor();
    const watch = (object) => {
      try {
        return verifier.verifyAssertion(object);
      } catch (error) {
        verified.push(error.code);
        throw error;
      }
    };
    return new Proxy(verifier, {
      get: (target, name) => {
        const value = name === "verifyAssertion" ? watch : target[name];
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }, { clock: () => clock.now, log: (line) => log.push(JSON.parse(line)), ...surroundings });

  /** Name, record, reason, and the status and word of precise answers. */
  const rows = [
    ["Android, production", [0xA1, ...record], "unknownKey", 401, "unknownKey"],
    ["Android, development", [0xA2, ...record], "unknownKey", 401, "unknownKey"],
    ["an Android mark and nothing else", [0xA1], "unknownKey", 401, "unknownKey"],
    ["the other environment", changed(1, 2), "keyOfOtherEnvironment", 401, "refused"],
    ["no environment", changed(1, 3), "malformedKeyRecord", 401, "refused"],
    ["a later version", changed(0, 9), "unsupportedKeyRecord", 401, "refused"],
    ["the other mark of Android's", changed(0, 0xA3), "unsupportedKeyRecord", 401, "refused"],
    ["nothing", [], "malformedKeyRecord", 401, "refused"],
    ["one byte", [1], "malformedKeyRecord", 401, "refused"],
    ["one byte less", record.slice(0, -1), "malformedKeyRecord", 401, "refused"],
    ["more than any record has", [...record, ...Array(2_000).fill(0)], "inputTooLarge", 401, "refused"],
    ["a point off the curve", changed(98, record[98] ^ 1), "invalidPublicKey", 401, "refused"],
    ["a field of a later version", [2, ...record.slice(1, 111), 9, 1, 0], "unknownKeyRecordField", 401, "refused"],
  ];

  await check("under uniform answers each row is rejected alike, after one signature verification", async () => {
    const uniform = { party: watched(), at: { ...env, ANSWERS: "uniform" } };
    assert.equal(rows.length, 13);
    let count = 0;
    for (const [name, bytes, reason] of [["no row", undefined, "unknownKey"], ...rows]) {
      if (bytes) await set(bytes);
      const named = bytes ? keyID : Buffer.alloc(32, 1).toString("base64");
      verified.length = 0;
      is(await post("/session", await assertion(1, named, 1, uniform), uniform), 401, "refused");
      assert.ok(log.at(-1).reason.startsWith(reason), `${name}: ${log.at(-1).reason}`);
      assert.equal(verified.filter((code) => code === "invalidSignature").length, 1, name);
      const issued = await challenge("assertion", named, uniform);
      const { assertion: signature } = sign(1, named, issued, 1, clientData("POST", "/signed", "x", issued, named));
      const headers = { "Attest-Key": named, "Attest-Challenge": issued, "Attest-Assertion": signature };
      verified.length = 0;
      is(await request("POST", "/signed", undefined, { ...uniform, headers, raw: "x" }), 401, "refused");
      assert.equal(verified.filter((code) => code === "invalidSignature").length, 1, name);
      count += 1;
    }
    assert.equal(count, 14);
    await set(record);
  });

  await check("each row counts as one failure of the account", async () => {
    for (const [name, bytes] of [["no row"], ...rows]) {
      const options = {
        party: watched({ account: () => "Zoë" }), at: { ...env, ANSWERS: "uniform", LIMITS: { FAILURES: { burst: 2, perMinute: 1 } } },
      };
      const named = bytes ? keyID : Buffer.alloc(32, 1).toString("base64");
      if (bytes) await set(bytes);
      await database.prepare("DELETE FROM allowances").run();
      const ask = async () => post("/session", await assertion(1, named, 1, options), options);
      for (let count = 1; count <= 2; count += 1) is(await ask(), 401, "refused");
      is(await ask(), 429, "tooManyRequests");
      assert.ok(name);
    }
    await set(record);
  });

  await check("precise answers tell the device what to do, without a verification and never as the server's failure", async () => {
    const precise = { party: watched(), at: env };
    for (const [name, bytes, reason, status, word] of rows) {
      await set(bytes);
      verified.length = 0;
      is(await post("/session", await assertion(1, keyID, 1, precise), precise), status, word);
      assert.ok(log.at(-1).reason.startsWith(reason), name);
      assert.equal(verified.filter((code) => code === "invalidSignature").length, 0, name);
    }
    await set(record);
    assert.equal((await post("/session", await assertion(1, keyID, 1, precise), precise)).status, 200);
  });

  await check("an attested key whose row is of another platform or environment is rejected, and the row stays", async () => {
    for (const bytes of [[0xA1, ...record], [0xA2, ...record], changed(1, 2), []]) {
      await set(bytes);
      is(await post("/attest", await attestation(1)), 401, "refused", "keyOfOtherEnvironment");
      assert.deepEqual((await database.prepare(sql.selectKey).bind(blob(keyID)).first()).record, bytes);
    }
    await set(record);
  });

  await check("an unusable row does not hide other keys from the operator's list", async () => {
    const operated = { ...env, OPERATOR_TOKEN: "sixteen characters!" };
    const headers = { authorization: "Bearer sixteen characters!" };
    const android = Buffer.alloc(32, 2).toString("base64");
    await database.prepare(
      "INSERT INTO attested_keys (key_id, record, counter, account, receipt, receipt_due_at, registered_at) VALUES (?1, ?2, 0, ?3, ?4, NULL, ?5)",
    ).bind(blob(android), Uint8Array.of(0xA1, 1).buffer, Uint8Array.from(Buffer.from("Zoë")).buffer, new ArrayBuffer(0), start).run();
    await database.prepare("UPDATE attested_keys SET account = ?2 WHERE key_id = ?1").bind(blob(keyID), Uint8Array.from(Buffer.from("Zoë")).buffer).run();
    const list = await post("/operator/keys", { account: "Zoë" }, { party: handlerFor(), at: operated, headers });
    assert.deepEqual(list.keys.map((key) => key.keyID).sort(), [android, keyID].sort());
  });
});
