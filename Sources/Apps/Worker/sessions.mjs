/** Sessions and the unattested tier: RelyingParty+Sessions of PureAttestServer. */

import { encode } from "./base64.mjs";
import { CLOCK_MARGIN, nextChallenge } from "./challenge.mjs";
import { areEqual, sha256 } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";
import { NOBODY, holderOf, readToken, signToken } from "./token.mjs";

/** Opens a session for a key that was just attested, or just signed; the token identifies the running app. */
export async function openSession(context, verified, keyID, account) {
  const subject = { subject: keyID, audience: await sha256(new TextEncoder().encode(verified.appID)), tier: verified.environment };
  return issue(context, { ...subject, holder: holderOf(account, verified) });
}

async function issue({ keys, now, sessionLifetime }, claims) {
  const expiresAt = now + sessionLifetime;
  const id = crypto.getRandomValues(new Uint8Array(16));
  return { token: await signToken(keys, { ...claims, issuedAt: now, expiresAt, id }), expiresAt };
}

export async function verifySession(context) {
  const { env, limits, keys, audience, denied, bearer, now, entry } = context;
  const session = await readToken(keys, bearer, "attested", now);
  entry.keyID = encode(session.subject);
  if (session.tier !== audience.environment) throw new Refusal("tokenOfOtherEnvironment");
  if (![...audience.apps.values()].some((app) => areEqual(app, session.audience))) throw new Refusal("tokenOfOtherAudience");
  const known = denied.reasonOf(session.id);
  if (known) throw new Refusal(known);
  // Before the database query, so excess requests neither read from it nor consume a token. The platform's limiter
  // cannot be read without taking, so a denied token takes once from its key's allowance; this isolate then remembers
  // it.
  await limits.admit(env, "REQUESTS", session.subject, now);
  const reason = await reasonToDeny(context, session);
  if (!reason) return session;
  denied.add(session.id, reason);
  throw new Refusal(reason);
}

/** Returns undefined for a valid token, which is then consumed if it may be used once. */
async function reasonToDeny({ store, sessionUse }, { subject, id, expiresAt }) {
  if (sessionUse === "untilExpiry") return undefined;
  // The key's row has any revocation, however old; for a key without a row, the list has it.
  const key = await store.key(subject);
  if (key ? key.revokedAt !== null : await store.isConsumed(subject)) return "deniedToken";
  if (sessionUse === "once") return (await store.consume({ id, until: expiresAt + CLOCK_MARGIN })) ? undefined : "tokenConsumed";
  return (await store.isConsumed(id)) ? "deniedToken" : undefined;
}

export async function answerProtected(context) {
  const { subject } = await verifySession(context);
  return { headers: await nextChallenge(context, subject), body: { keyID: encode(subject) } };
}

/** Lists the token; no effect if tokens are valid until they expire. */
export async function logOut(context) {
  const { subject, id, expiresAt } = await verifySession(context);
  await context.store.consume({ id, until: expiresAt + CLOCK_MARGIN });
  return { status: 204, headers: await nextChallenge(context, subject) };
}

/** Opens access for devices without App Attest, never to routes that need an attested session. */
export async function openUnattested(context) {
  const { limits, audience, clientAddress } = context;
  const subject = await sha256(clientAddress);
  await limits.admitUnattested(context, subject);
  return { body: await issue(context, { subject, audience: audience.service, tier: "unattested", holder: NOBODY }) };
}

export async function answerOpen(context) {
  const { keys, audience, bearer, now, limits, entry } = context;
  try {
    const session = await readToken(keys, bearer, "unattested", now);
    if (!areEqual(session.audience, audience.service)) throw new Refusal("tokenOfOtherAudience");
    await limits.admitUnattested(context, session.subject);
    entry.tier = "unattested";
    return { body: { open: true } };
  } catch (error) {
    if (error.reason !== "invalidToken") throw error;
  }
  await verifySession(context);
  entry.tier = "attested";
  return { body: { open: true } };
}
