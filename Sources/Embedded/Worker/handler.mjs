/**
 * A relying party on an edge worker: challenges, keys and counters in D1, sessions in signed tokens. Times are seconds since 1970,
 * bytes travel as base64 in JSON.
 *
 *   POST /challenge  {purpose: "attest" | "assert", keyID}              → {id, challenge}
 *   POST /attest     {challengeID, keyID, attestation}                  → 201
 *   POST /session    {challengeID, keyID, assertion, clientData}        → {token, expiresAt}
 *   GET  /protected  Authorization: Bearer TOKEN                        → {keyID}
 *
 * The client data of a session are the challenge itself. Refusals are one word: unknownKey (attest again, once), replay (ask for
 * a new challenge), refused; the reason goes to the log only.
 */

import { RefusedError } from "../JavaScript/pure-attest.mjs";
import * as sql from "./statements.mjs";

const PURPOSES = { attest: 1, assert: 2 };
const CHALLENGE_LIFETIME = 60;
const TOKEN_LIFETIME = 900;
/** Who issues and accepts the tokens: not another service that has the same SESSION_KEY. */
const ISSUER = "pure-attest-sample";
/** An attestation of 64 KiB in base64 and what is around it. */
const MAXIMUM_BODY = 100_000;
const REPLAYS = ["counterNotIncreased", "counterReplayed"];

class Answer extends Error {
  constructor(status, code, reason = code) {
    super(reason);
    this.status = status;
    this.code = code;
  }
}

const replay = (reason) => new Answer(409, "replay", reason);
const refused = (reason) => new Answer(401, "refused", reason);
const unknownKey = () => new Answer(401, "unknownKey");
const malformed = (reason) => new Answer(400, "refused", reason);

/**
 * @param {(env: object) => Promise<PureAttest>} makeVerifier called once
 * @param {{clock?: () => number, log?: (line: string) => void}} surroundings
 */
export function createHandler(makeVerifier, { clock = () => Math.floor(Date.now() / 1000), log = console.log } = {}) {
  let verifier;
  const routes = {
    "POST /challenge": issueChallenge,
    "POST /attest": attest,
    "POST /session": openSession,
    "GET /protected": answerProtected,
  };

  return {
    async fetch(request, env) {
      const route = routes[`${request.method} ${new URL(request.url).pathname}`];
      if (!route) return Response.json({ code: "notFound" }, { status: 404 });
      try {
        verifier ??= makeVerifier(env);
        return await route(request, env, await verifier, clock());
      } catch (error) {
        const answer = asAnswer(error);
        log(`${new URL(request.url).pathname}: ${answer.status} ${answer.code}: ${answer.message}`);
        return Response.json({ code: answer.code }, { status: answer.status });
      }
    },
  };
}

function asAnswer(error) {
  if (error instanceof Answer) return error;
  if (error instanceof RefusedError) return REPLAYS.includes(error.code) ? replay(error.code) : refused(error.code);
  return new Answer(503, "serverUnavailable", String(error));
}

async function issueChallenge(request, env, _, now) {
  const body = await readBody(request);
  if (!Object.hasOwn(PURPOSES, body.purpose)) throw malformed("purpose");
  const keyID = decode(body.keyID, "keyID");
  const id = crypto.getRandomValues(new Uint8Array(16));
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  await env.DB.prepare(sql.removeExpiredChallenges).bind(now).run();
  await env.DB.prepare(sql.insertChallenge)
    .bind(blob(id), blob(challenge), PURPOSES[body.purpose], blob(keyID), null, now, now + CHALLENGE_LIFETIME)
    .run();
  return Response.json({ id: encode(id), challenge: encode(challenge) });
}

/** Removes the challenge: whatever comes of this attempt, there is no second one. */
async function consumeChallenge(env, id, purpose, keyID, now) {
  const row = await env.DB.prepare(sql.consumeChallenge).bind(blob(decode(id, "challengeID"))).first();
  if (!row) throw replay("challengeNotFound");
  if (now >= row.expires_at) throw replay("challengeExpired");
  if (row.purpose !== purpose || !equal(bytes(row.key_id), keyID)) throw refused("challengeOfOtherUse");
  return bytes(row.value);
}

async function attest(request, env, verifier, now) {
  const body = await readBody(request);
  const keyID = decode(body.keyID, "keyID");
  const attestation = decode(body.attestation, "attestation");
  const challenge = await consumeChallenge(env, body.challengeID, PURPOSES.attest, keyID, now);
  const verified = verifier.verifyAttestation({ attestation, keyID, challenge, now, verifyReceipt: true });
  const row = await env.DB.prepare(sql.insertKey)
    .bind(blob(keyID), blob(verified.keyRecord), 0, null, blob(verified.receipt), now, null)
    .first();
  // A key that is there keeps its counter.
  if (!row) throw refused("keyExists");
  return Response.json({}, { status: 201 });
}

async function openSession(request, env, verifier, now) {
  const body = await readBody(request);
  const keyID = decode(body.keyID, "keyID");
  const assertion = decode(body.assertion, "assertion");
  const clientData = decode(body.clientData, "clientData");
  const challenge = await consumeChallenge(env, body.challengeID, PURPOSES.assert, keyID, now);
  const row = await env.DB.prepare(sql.selectKey).bind(blob(keyID)).first();
  if (!row) throw unknownKey();
  if (row.revoked_at !== null) throw refused("keyRevoked");
  const keyRecord = bytes(row.record);
  const verified = verifier.verifyAssertion({ assertion, clientData, challenge, keyRecord, now });
  const advanced = await env.DB.prepare(sql.advanceCounter)
    .bind(blob(keyID), blob(keyRecord), blob(verified.keyRecord), verified.counter)
    .first();
  // Another request advanced the counter first.
  if (!advanced) throw replay("contended");
  const expiresAt = now + TOKEN_LIFETIME;
  const token = await signToken(env, {
    iss: ISSUER, sub: encode(keyID), aud: audience(verifier, verified.appID), env: verified.environment, iat: now,
    exp: expiresAt, jti: crypto.randomUUID(),
  });
  return Response.json({ token, expiresAt });
}

async function answerProtected(request, env, verifier, now) {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) throw refused("tokenMissing");
  const claims = await verifyToken(env, token);
  if (now >= claims.exp) throw refused("tokenExpired");
  if (claims.iss !== ISSUER) throw refused("tokenOfOtherIssuer");
  if (claims.env !== verifier.environment) throw refused("tokenOfOtherEnvironment");
  const isOurs = verifier.appIDs.some((appID) => audience(verifier, appID) === claims.aud);
  if (!isOurs) throw refused("tokenOfOtherAudience");
  // The key's row says whether it was revoked, for good; the list has tokens that were ended.
  const key = await env.DB.prepare(sql.selectKey).bind(blob(decode(claims.sub, "token"))).first();
  if (!key) throw unknownKey();
  if (key.revoked_at !== null) throw refused("keyRevoked");
  const id = new TextEncoder().encode(claims.jti);
  if (await env.DB.prepare(sql.selectToken).bind(blob(id)).first()) throw refused("tokenDenied");
  return Response.json({ keyID: claims.sub });
}

/** Whom a token is for (RFC 7519 §4.1.3): the app, by the SHA-256 of its App ID. */
function audience(verifier, appID) {
  return base64url(verifier.sha256(new TextEncoder().encode(appID)));
}

// JSON Web Tokens with HS256 (RFC 7519, RFC 7515): one algorithm, never the one that a token asks for.

const TOKEN_HEADER = base64url(new TextEncoder().encode('{"alg":"HS256","typ":"JWT"}'));

async function tokenKey(env) {
  const secret = decode(env.SESSION_KEY, "SESSION_KEY");
  if (secret.length < 32) throw new Error("SESSION_KEY: 32 bytes or more in base64");
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

async function signToken(env, claims) {
  const content = `${TOKEN_HEADER}.${base64url(new TextEncoder().encode(layout(claims)))}`;
  const mac = await crypto.subtle.sign("HMAC", await tokenKey(env), new TextEncoder().encode(content));
  return `${content}.${base64url(new Uint8Array(mac))}`;
}

async function verifyToken(env, token) {
  const [header, payload, mac] = token.split(".");
  if (header !== TOKEN_HEADER) throw refused("tokenOfOtherAlgorithm");
  const content = new TextEncoder().encode(`${header}.${payload}`);
  const isValid = await crypto.subtle.verify("HMAC", await tokenKey(env), decode(mac, "token"), content);
  if (!isValid) throw refused("tokenNotOurs");
  return readClaims(decode(payload, "token"));
}

/** The one text of these claims. */
function layout({ iss, sub, aud, env, iat, exp, jti }) {
  return JSON.stringify({ iss, sub, aud, env, iat, exp, jti });
}

/** Claims of exactly that text, each of its type: what is absent or of another would compare as no limit at all. */
function readClaims(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const claims = JSON.parse(text);
    const { iss, sub, aud, env, iat, exp, jti } = claims;
    const isTyped =
      [iss, sub, aud, env, jti].every((claim) => typeof claim === "string") && [iat, exp].every(Number.isSafeInteger);
    if (isTyped && layout(claims) === text) return claims;
  } catch {
    // Not JSON, or null, which has no members: falls through to the one answer.
  }
  throw refused("tokenClaims");
}

// Bytes. D1 binds BLOBs as ArrayBuffer and returns them as arrays of numbers.

async function readBody(request) {
  const text = await request.text();
  if (text.length > MAXIMUM_BODY) throw malformed("body too large");
  try {
    const body = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body;
  } catch {
    // Falls through to the one answer.
  }
  throw malformed("body");
}

function blob(array) {
  return array.buffer.slice(array.byteOffset, array.byteOffset + array.byteLength);
}

function bytes(value) {
  return new Uint8Array(value);
}

function equal(a, b) {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function encode(array) {
  return btoa(String.fromCharCode(...array));
}

function base64url(array) {
  return encode(array).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Base64 of either alphabet. */
function decode(text, name) {
  try {
    if (typeof text !== "string") throw new TypeError();
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    throw malformed(name);
  }
}
