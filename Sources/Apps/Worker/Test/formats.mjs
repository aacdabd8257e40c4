// Compares the Worker's challenges, tokens and budgets with server-formats.json, which PureAttestServer wrote: node
// formats.mjs.
import assert from "node:assert/strict";
import { createHash, createHmac, webcrypto } from "node:crypto";
import { networkOf } from "../address.mjs";
import { decode, decodeURL, encode, encodeURL } from "../base64.mjs";
import { Budget } from "../budget.mjs";
import { open, seal } from "../challenge.mjs";
import { audienceOf, sessionKeys } from "../keys.mjs";
import { NOBODY, holderOf, readToken, signToken } from "../token.mjs";
import { Checks, readJSON } from "../../../Bindings/Wasm/Test/support.mjs";

globalThis.crypto ??= webcrypto; // Node 18
const vectors = readJSON(new URL("server-formats.json", import.meta.url));
const checks = new Checks();
const check = (name, body) => checks.run(name, body);
const PURPOSES = { attest: 1, assert: 2 };

const appIDs = ["TEST123456.com.example.app", "TEST123456.com.example.other", "TEST123456.com.example.app"];
const env = { SESSION_KEY: Buffer.alloc(32, 7).toString("base64"), SESSION_KEY_ID: "2026-09" };
const audience = await audienceOf({ appIDs, environment: "production" });
const keys = await sessionKeys(env, audience);
const keyID = Uint8Array.from({ length: 32 }, (_, index) => index);
const random = Uint8Array.from({ length: 16 }, (_, index) => 100 + index);
const now = 1_789_473_600;
const utf8 = (text) => (text === null ? null : new TextEncoder().encode(text));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const reason = (body) => body.then(() => "accepted", (error) => error.reason ?? error);

await check("challenges equal the server's byte for byte, and each opens only for its purpose, key and account", async () => {
  assert.equal(hex(audience.service), vectors.service);
  for (const { purpose, account, value } of vectors.challenges) {
    const own = { purpose: PURPOSES[purpose], keyID, account: utf8(account), now };
    assert.equal(hex(await seal(keys, { ...own, lifetime: 60, random })), value);
    const challenge = new Uint8Array(Buffer.from(value, "hex"));
    assert.deepEqual(await open(keys, challenge, { ...own, now: now + 59 }), { id: Uint8Array.of(0x43, ...random), until: now + 360 });
    const refusals = {
      challengeExpired: { now: now + 60 }, challengeOfOtherPurpose: { purpose: 3 - own.purpose },
      challengeOfOtherKey: { keyID: keyID.slice().reverse() },
    };
    for (const [name, changes] of Object.entries(refusals)) assert.equal(await reason(open(keys, challenge, { ...own, ...changes })), name);
    for (const other of [null, "", "Zoë", "Zoe"]) {
      if (other === account) continue;
      assert.equal(await reason(open(keys, challenge, { ...own, account: utf8(other) })), "challengeOfOtherAccount");
    }
    for (let index = 0; index < challenge.length; index += 1) {
      const changed = challenge.slice();
      changed[index] ^= 1;
      assert.equal(await reason(open(keys, changed, own)), "challengeNotIssued", String(index));
    }
    for (const other of [challenge.slice(1), new Uint8Array(), new Uint8Array([...challenge, 0])]) {
      assert.equal(await reason(open(keys, other, own)), "malformedRequest");
    }
  }
});

await check("challenges of another app, environment or secret are rejected, and challenges of a former key accepted", async () => {
  const challenge = new Uint8Array(Buffer.from(vectors.challenges[0].value, "hex"));
  const own = { purpose: 1, keyID, account: null, now };
  const others = [
    await sessionKeys(env, await audienceOf({ appIDs: appIDs.slice(0, 1), environment: "production" })),
    await sessionKeys(env, await audienceOf({ appIDs, environment: "development" })),
    await sessionKeys({ ...env, SESSION_KEY: Buffer.alloc(32, 8).toString("base64") }, audience),
  ];
  for (const other of others) assert.equal(await reason(open(other, challenge, own)), "challengeNotIssued");
  const rotated = await sessionKeys({
    SESSION_KEY: Buffer.alloc(32, 8).toString("base64"), SESSION_KEY_ID: "2026-10", FORMER_SESSION_KEY: env.SESSION_KEY,
    FORMER_SESSION_KEY_ID: env.SESSION_KEY_ID,
  }, audience);
  assert.equal(await reason(open(rotated, challenge, own)), "accepted");
  assert.equal((await readToken(rotated, vectors.tokens[0].token, "attested", now)).tier, "production");
});

await check("tokens equal the server's byte for byte, and each tier rejects the other's", async () => {
  const holder = holderOf(utf8("Zoë"), {
    validationCategory: 4, bundleVersion: "2.1.0", codeDirectoryHash: Uint8Array.from({ length: 32 }, (_, index) => index + 1),
    codeDirectoryHashType: 2,
  });
  const app = [...audience.apps.values()][0];
  for (const { tier, holder: isHeld, token } of vectors.tokens) {
    const isUnattested = tier === "unattested";
    const claims = {
      subject: keyID, audience: isUnattested ? audience.service : app, tier, holder: isHeld ? holder : NOBODY, issuedAt: now,
      expiresAt: now + 900, id: random,
    };
    assert.equal(await signToken(keys, claims), token);
    assert.deepEqual(await readToken(keys, token, isUnattested ? "unattested" : "attested", now + 899), claims);
    assert.equal(await reason(readToken(keys, token, isUnattested ? "attested" : "unattested", now)), "invalidToken");
    assert.equal(await reason(readToken(keys, token, isUnattested ? "unattested" : "attested", now + 900)), "expiredToken");
  }
  assert.deepEqual(holderOf(null, { validationCategory: null, bundleVersion: "x".repeat(64), codeDirectoryHash: null }), NOBODY);
});

await check("claims of another type or layout are rejected, even if signed with the service's key", async () => {
  const [header, payload] = vectors.tokens[2].token.split(".");
  const text = Buffer.from(payload, "base64url").toString();
  const sign = (claims, head = header) => {
    const content = `${head}.${Buffer.from(claims).toString("base64url")}`;
    return `${content}.${createHmac("sha256", Buffer.alloc(32, 7)).update(content).digest("base64url")}`;
  };
  const read = (token) => reason(readToken(keys, token, "attested", now));
  assert.equal(await read(sign(text)), "accepted");
  const claims = JSON.parse(text);
  const lists = ["null", "1", "[]", "{}", '""', "", "x", ` ${text}`, `${text} `, `${text}\n`, text.replace("{", '{"exp":9000000000,')];
  for (const name of Object.keys(claims)) {
    const { [name]: _, ...rest } = claims;
    lists.push(JSON.stringify(rest));
    for (const value of ["", "x", "AAAA=", `${claims[name]}x`, [claims[name]], {}, true, -1, 1.5, 1e300, [null]]) {
      // Any base64url text is an account or a version.
      if (["acc", "ver", "cdh"].includes(name) && (value === `${claims[name]}x` || (value === "" && name !== "cdh"))) continue;
      lists.push(JSON.stringify({ ...claims, [name]: value }));
    }
    if (!["acc", "cat", "ver", "cdh"].includes(name)) lists.push(JSON.stringify({ ...claims, [name]: null }));
  }
  lists.push(text.replace('"cat":4', '"cat":4294967296'), text.replace('"cat":4', '"cat":04'), text.replace('"iat":', '"iat":0'));
  lists.push(text.replace('"exp":1789474500', '"exp":9999999999999999'), text.replace('"exp":1789474500', '"exp":"1789474500"'));
  for (const changed of lists) assert.equal(await read(sign(changed)), "invalidToken", changed);
  const otherHeads = ['{"alg":"none"}', '{"alg":"HS256","typ":"JWT"}', '{"alg":"HS256","kid":"other","typ":"JWT"}', ""];
  for (const head of otherHeads) assert.equal(await read(sign(text, Buffer.from(head).toString("base64url"))), "invalidToken");
  for (const token of [undefined, "", "..", "a.b.c", vectors.tokens[2].token.slice(0, -1), `${vectors.tokens[2].token}.x`, "x".repeat(1e6)]) {
    assert.equal(await read(token), "invalidToken");
  }
  assert.equal(createHash("sha256").update(appIDs[0]).digest("base64url"), claims.aud);
});

await check("budget rows equal the server's", () => {
  assert.equal(vectors.budgetPeriods.length, 6);
  for (const { of: per, environment, days, account, holder, endsAt } of vectors.budgetPeriods) {
    const row = new Budget({ days, requests: 1, units: 1, per }).row({ keyID, account: utf8(account), environment }, now);
    assert.deepEqual([hex(row.holder), row.endsAt], [holder, endsAt]);
  }
});

await check("base64 has one accepted encoding in each alphabet", () => {
  for (let length = 0; length < 70; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 89 + 250) & 255);
    const standard = Buffer.from(bytes).toString("base64");
    const url = Buffer.from(bytes).toString("base64url");
    assert.equal(encode(bytes), standard);
    assert.equal(encodeURL(bytes), url);
    for (const text of [standard, url, standard.replaceAll("=", "")]) assert.deepEqual(decode(text), bytes);
    assert.deepEqual(decodeURL(url), bytes);
  }
  for (const text of ["%", "A", "AB", "AAB", "AA=", "AAA==", "=", "====", "AAAA=", " AAAA", "AA\nAA", "+-AA", "_/AA", 5, null, undefined, ["AAAA"]]) {
    assert.equal(decode(text), undefined, String(text));
  }
  for (const text of ["AA==", "+/AA"]) assert.equal(decodeURL(text), undefined);
});

await check("missing, short and badly named keys are configuration errors", async () => {
  for (const changes of [
    { SESSION_KEY: undefined }, { SESSION_KEY: "" }, { SESSION_KEY: Buffer.alloc(31).toString("base64") }, { SESSION_KEY_ID: undefined },
    { SESSION_KEY_ID: "" }, { SESSION_KEY_ID: 'a"b' }, { SESSION_KEY_ID: "x".repeat(65) }, { FORMER_SESSION_KEY: env.SESSION_KEY },
  ]) {
    await assert.rejects(sessionKeys({ ...env, ...changes }, audience), TypeError, JSON.stringify(changes));
  }
});

await check("all addresses of one subscriber are one client address", () => {
  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"], ["::ffff:192.0.2.1", "192.0.2.1"], ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::1", "2001:db8:1:2::/64"], ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"], ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"], ["::", "0:0:0:0::/64"], ["1:2:3:4:5:6:7::", "1:2:3:4::/64"], ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["1:2:3:4:5:6:255.0.10.1", "1:2:3:4::/64"], ["::FFFF:c000:0201", "192.0.2.1"], ["0:0:0:0:0:ffff:0:1", "0.0.0.1"],
    ["::ffff:0:192.0.2.1", "0:0:0:0::/64"], [null, ""], [undefined, ""],
  ]) {
    assert.equal(networkOf(address), network);
  }
});

await check("malformed addresses are rejected, also with any invisible character", () => {
  const addresses = ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"];
  // Prepend and combining characters, joiners, line ends, white space, digits and letters of other scripts.
  const hidden = ["\u0600", "\u0601", "\u06dd", "\u070f", "\u08e2", "\u{110bd}", "\u0301", "\u200d", "\u200b", "\ufeff", "\u00a0", "\u2028", "\r\n", "\n",
    " ", "\t", "\0", "%", "%0", "%eth0", "%\u0600", ",", ", ", "\uff0e", "\u0661", "\uff11", "\uff41", "\ud800", "/64", "]", ":80", "-1", "+1", "g"];
  let count = 0;
  for (const address of addresses) {
    for (const character of hidden) {
      for (let index = 0; index <= address.length; index += 1) {
        const text = address.slice(0, index) + character + address.slice(index);
        // A port is another group.
        if (character === ":80" && index < address.length && address.includes(":")) continue;
        if (character === ":80" && address === "2001:db8::1") continue;
        assert.throws(() => networkOf(text), { reason: "malformedRequest" }, JSON.stringify(text));
        count += 1;
      }
    }
  }
  // 33 at 39 places, and a port after or within 11.
  assert.equal(count, 33 * 39 + 11);
  for (const text of [
    "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.", ".1.2.3", "1..2.3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8", "1::2::3", ":::", ":", ":1", "1:", "1:::2", "12345::", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4:5", "::1.2.3.256",
    "0x7f.1", "2130706433", "[::1]", 5, true, {}, ["192.0.2.1"], new String("192.0.2.1"),
  ]) assert.throws(() => networkOf(text), { reason: "malformedRequest" }, String(text));
});

console.log(`${checks.count} checks of the Worker's formats passed`);
