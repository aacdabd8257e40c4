/**
 * A relying party on an edge worker: keys, counters and what is spent in D1, challenges and sessions under codes. What RelyingParty of
 * PureAttestServer does, with its formats. Times are seconds since 1970, bytes travel as base64 in JSON.
 *
 *   POST /challenge   {purpose: "attest" | "assert", keyID}     → {challenge}
 *   POST /attest      {keyID, challenge, attestation}           → 201 {token, expiresAt}
 *   POST /session     {keyID, challenge, assertion}             → {token, expiresAt}
 *   GET  /protected   Authorization: Bearer TOKEN               → {keyID}
 *   POST /logout      Authorization: Bearer TOKEN               → {}
 *   POST /unattested                                            → {token, expiresAt}, of the unattested tier
 *   GET  /open        Authorization: Bearer TOKEN of any tier   → {tier}
 *
 * The client data of a session are the challenge itself. Refusals are one word: unknownKey (attest again, once), replay (ask for
 * a new challenge), tooManyRequests, refused, serverUnavailable; the step and the reason go to the log only.
 */

import { decode, encode } from "./base64.mjs";
import { readBody } from "./body.mjs";
import { CLOCK_MARGIN, PURPOSES, open, seal } from "./challenge.mjs";
import { audienceOf, sessionKeys, sha256 } from "./keys.mjs";
import { admit, networkOf, removeFull } from "./limits.mjs";
import { Misconfiguration, Refusal, answerTo } from "./refusal.mjs";
import { Store } from "./store.mjs";
import { NOBODY, holderOf, readToken, signToken } from "./token.mjs";

const CHALLENGE_LIFETIME = 60;
const TOKEN_LIFETIME = 900;
const MAXIMUM_ACCOUNT = 256;
/** How often an assertion is verified anew because another one of the same key was stored meanwhile. */
const MAXIMUM_ATTEMPTS = 16;
/** What one run of the schedule removes at most, a thousand at a time. */
const CLEANUP_ROUNDS = 20;
const ANSWERS = ["precise", "uniform"];
const SESSION_USES = ["untilRevoked", "untilExpiry", "once"];
/** P-256's base point (SP 800-186 §3.2.1.3): a key that no device has. */
const BASE_POINT = "BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=";

/**
 * @param {(env: object) => Promise<PureAttest>} makeVerifier called once, and again after a failure or a trap
 * @param {object} surroundings `account` names the user that a request belongs to, by a login that it carries: text, or null; `source` the
 *   address that it comes from
 */
export function createHandler(makeVerifier, {
  clock = () => Math.floor(Date.now() / 1000), log = console.log, account = () => null,
  source = (request) => request.headers.get("cf-connecting-ip"),
} = {}) {
  let prepared;

  /** The verifier, the keys and the options. What failed or trapped is made anew for the next request. */
  async function surroundings(env) {
    const attempt = (prepared ??= prepare(makeVerifier, env));
    const forget = () => { if (prepared === attempt) prepared = undefined; };
    try {
      const party = await attempt;
      if (!party.verifier.isBroken) return party;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return surroundings(env);
  }

  return {
    async fetch(request, env) {
      const path = new URL(request.url).pathname;
      const [route, readsBody] = ROUTES[`${request.method} ${path}`] ?? [];
      if (!route) return Response.json({ code: "notFound" }, { status: 404 });
      const entry = { route: `${request.method} ${path}` };
      try {
        const party = await surroundings(env);
        const from = networkOf(source(request));
        // The clock after the body, which may take any time to come.
        const body = readsBody ? await readBody(request) : undefined;
        const context = {
          ...party, env, body, entry, now: clock(), store: new Store(env.DB), bearer: bearerOf(request),
          source: new TextEncoder().encode(from), account: accountOf(await account(request, env)),
        };
        if (from !== "") await admit(env, "SOURCES", context.source, context.now);
        const { status = 200, ...answer } = await route(context);
        log(JSON.stringify({ ...entry, outcome: "accepted", status }));
        return Response.json(answer, { status });
      } catch (error) {
        const { status, code, step, reason, retryAfter } = answerTo(Refusal.of(error), env.ANSWERS);
        log(JSON.stringify({ ...entry, outcome: status === 503 ? "failed" : "refused", status, code, step, reason }));
        return Response.json({ code }, { status, headers: retryAfter ? { "retry-after": String(retryAfter) } : {} });
      }
    },

    /** Removes what has expired; a cron trigger calls it. */
    async scheduled(_, env) {
      const now = clock();
      const store = new Store(env.DB);
      for (const [table, remove] of [
        ["spent", (limit) => store.removeExpired(now, limit)], ["allowances", (limit) => removeFull(env, now, limit)],
      ]) {
        let removed = 0;
        for (let round = 0; round < CLEANUP_ROUNDS && removed === round * 1_000; round += 1) removed += await remove(1_000);
        log(JSON.stringify({ route: "scheduled", table, removed }));
      }
    },
  };
}

const ROUTES = {
  "POST /challenge": [issueChallenge, true],
  "POST /attest": [register, true],
  "POST /session": [authenticate, true],
  "GET /protected": [async (context) => ({ keyID: encode((await verifySession(context)).subject) })],
  "POST /logout": [logOut],
  "POST /unattested": [openUnattested],
  "GET /open": [answerOpen],
};

/** Everything that the requests need: whatever is missing is found before one of them changes anything. */
async function prepare(makeVerifier, env) {
  const among = (name, values) => {
    const value = env[name] ?? values[0];
    if (!values.includes(value)) throw new TypeError(`${name}: one of ${values.join(", ")}`);
    return value;
  };
  try {
    if (!env.DB) throw new TypeError("DB: a D1 database");
    const answers = among("ANSWERS", ANSWERS);
    const sessionUse = among("SESSION_USE", SESSION_USES);
    const verifier = await makeVerifier(env);
    const audience = await audienceOf(verifier);
    const keys = await sessionKeys(env, audience);
    const nobodysKey = answers === "uniform" ? verifier.importKey({ publicKey: decode(BASE_POINT), counter: 0 }).keyRecord : null;
    return { verifier, audience, keys, sessionUse, nobodysKey };
  } catch (error) {
    throw new Misconfiguration(error.message);
  }
}

function accountOf(name) {
  if (name === null) return null;
  const bytes = typeof name === "string" ? new TextEncoder().encode(name) : undefined;
  if (!bytes || bytes.length > MAXIMUM_ACCOUNT) throw new Refusal("malformedRequest", { detail: "account" });
  return bytes;
}

function bytesOf({ body, entry }, name) {
  const bytes = decode(body[name]);
  if (!bytes || (name === "keyID" && bytes.length !== 32)) throw new Refusal("malformedRequest", { detail: name });
  if (name === "keyID") entry.keyID = encode(bytes);
  return bytes;
}

const bearerOf = (request) => /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.get("authorization") ?? "")?.[1];

const random = () => crypto.getRandomValues(new Uint8Array(16));

// Challenges and keys

async function issueChallenge(context) {
  const { body, keys, account, now } = context;
  const keyID = bytesOf(context, "keyID");
  if (!Object.hasOwn(PURPOSES, body.purpose)) throw new Refusal("malformedRequest", { detail: "purpose" });
  const purpose = PURPOSES[body.purpose];
  return { challenge: encode(await seal(keys, { purpose, keyID, account, now, lifetime: CHALLENGE_LIFETIME, random: random() })) };
}

/** A failed attempt writes nothing: a device signs the very challenge, so that nobody else can try another object with it. */
async function register(context) {
  const { verifier, keys, store, account, now } = context;
  const keyID = bytesOf(context, "keyID");
  const challenge = bytesOf(context, "challenge");
  const attestation = bytesOf(context, "attestation");
  const spending = await open(keys, challenge, { purpose: PURPOSES.attest, keyID, account, now });
  const verified = verifier.verifyAttestation({ attestation, keyID, challenge, now, verifyReceipt: true });
  const { keyRecord: record, receipt } = verified;
  const outcome = await store.insertKey({ keyID, record, account, receipt, registeredAt: now }, spending);
  if (outcome === "alreadySpent") throw new Refusal("challengeSpent");
  if (outcome === "otherState") checkExisting(await store.key(keyID), record, account);
  return { status: outcome === "done" ? 201 : 200, ...(await openSession(context, verified, keyID, account)) };
}

/** A key that is there keeps its record, counter included. */
function checkExisting(existing, record, account) {
  if (!existing) throw new Error("a key is neither inserted nor there");
  if (existing.record[1] !== record[1]) throw new Refusal("keyOfOtherEnvironment");
  if (!areEqual(existing.account, account)) throw new Refusal("keyOfOtherAccount");
  if (existing.revokedAt !== null) throw new Refusal("revokedKey");
}

async function authenticate(context) {
  const { env, keys, store, account, now } = context;
  const keyID = bytesOf(context, "keyID");
  const challenge = bytesOf(context, "challenge");
  const assertion = bytesOf(context, "assertion");
  const spending = await open(keys, challenge, { purpose: PURPOSES.assert, keyID, account, now });
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    const key = await store.key(keyID);
    if (!key) throw unknownKey(context, assertion, challenge);
    const verified = await verify(context, { assertion, challenge, key, spending });
    // For the device alone, as it has signed; before the counter, so that the same answer is good later.
    if (attempt === 0) await admit(env, "KEYS", keyID, now);
    const outcome = await store.advanceCounter(keyID, key.record, verified, now, spending);
    if (outcome === "alreadySpent") throw new Refusal("challengeSpent");
    if (outcome === "done") return openSession(context, verified, keyID, key.account);
    // Another assertion of this key was stored first: this one is verified with what it left.
  }
  throw new Refusal("contended", { retryAfter: 1 });
}

async function verify({ verifier, store, account, now }, { assertion, challenge, key, spending }) {
  let verified;
  try {
    verified = verifier.verifyAssertion({ assertion, clientData: challenge, challenge, keyRecord: key.record, now });
  } catch (error) {
    // The counter of this very challenge: a request that was accepted, sent again.
    const isUsed = ["counterNotIncreased", "counterReplayed"].includes(error.code);
    throw isUsed && (await store.isSpent(spending.id)) ? new Refusal("challengeSpent") : error;
  }
  // After the signature: only the device itself learns what became of its key.
  if (key.revokedAt !== null) throw new Refusal("revokedKey");
  if (account !== null && !areEqual(account, key.account)) throw new Refusal("keyOfOtherAccount");
  return verified;
}

/** Under uniform answers it takes the time of a verification. */
function unknownKey({ verifier, nobodysKey, now }, assertion, challenge) {
  try {
    if (nobodysKey) verifier.verifyAssertion({ assertion, clientData: challenge, challenge, keyRecord: nobodysKey, now });
  } catch {
    // Whatever it is, the key is not known.
  }
  return new Refusal("unknownKey");
}

function areEqual(a, b) {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

// Sessions

async function openSession(context, verified, keyID, account) {
  const subject = { subject: keyID, audience: await sha256(new TextEncoder().encode(verified.appID)), tier: verified.environment };
  return issue(context, { ...subject, holder: holderOf(account, verified) });
}

async function issue({ keys, now }, claims) {
  const expiresAt = now + TOKEN_LIFETIME;
  return { token: await signToken(keys, { ...claims, issuedAt: now, expiresAt, id: random() }), expiresAt };
}

async function verifySession(context) {
  const { env, keys, audience, bearer, now, entry } = context;
  const session = await readToken(keys, bearer, "attested", now);
  entry.keyID = encode(session.subject);
  if (session.tier !== audience.environment) throw new Refusal("tokenOfOtherEnvironment");
  if (![...audience.apps.values()].some((app) => areEqual(app, session.audience))) throw new Refusal("tokenOfOtherAudience");
  if (!(await mayUse(context, session))) throw new Refusal("deniedToken");
  await admit(env, "REQUESTS", session.subject, now);
  return session;
}

async function mayUse({ store, sessionUse }, { subject, id, expiresAt }) {
  if (sessionUse === "untilExpiry") return true;
  // The key's row knows, however long ago it was revoked; of a key without one, the list.
  const key = await store.key(subject);
  if (key ? key.revokedAt !== null : await store.isSpent(subject)) return false;
  return sessionUse === "once" ? store.spend({ id, until: expiresAt + CLOCK_MARGIN }) : !(await store.isSpent(id));
}

/** Lists the token; without effect where tokens are good until they expire. */
async function logOut(context) {
  const { id, expiresAt } = await verifySession(context);
  await context.store.spend({ id, until: expiresAt + CLOCK_MARGIN });
  return {};
}

/** For devices without App Attest: it opens nothing that asks for an attested session. */
async function openUnattested(context) {
  const { env, audience, source, now } = context;
  const subject = await sha256(source);
  await admit(env, "UNATTESTED", subject, now);
  return issue(context, { subject, audience: audience.service, tier: "unattested", holder: NOBODY });
}

async function answerOpen(context) {
  const { env, keys, audience, bearer, now } = context;
  try {
    const session = await readToken(keys, bearer, "unattested", now);
    if (!areEqual(session.audience, audience.service)) throw new Refusal("tokenOfOtherAudience");
    await admit(env, "UNATTESTED", session.subject, now);
    return { tier: "unattested" };
  } catch (error) {
    if (error.reason !== "invalidToken") throw error;
  }
  await verifySession(context);
  return { tier: "attested" };
}
