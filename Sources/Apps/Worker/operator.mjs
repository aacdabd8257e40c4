/** Routes for the operator with OPERATOR_TOKEN: health, an account's keys, and revocation. */

import { encode } from "./base64.mjs";
import { accountOf, decoded } from "./body.mjs";
import { CLOCK_MARGIN } from "./challenge.mjs";
import { areEqual, sha256 } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

const PAGE = 100;
/** RelyingPartyConfiguration.revokedKeyListing: the longest session, the longest challenge and the clock margin. */
const REVOKED_KEY_LISTING = 86_400 + 300 + CLOCK_MARGIN;

/** Queries the database at most once a second, because anyone may request this. Any key will do. */
export async function answerHealth({ store, health, now }) {
  // Stored before it resolves, so that concurrent requests share one query.
  if (health.time !== now) Object.assign(health, { time: now, answer: looked(store) });
  const { failure } = await health.answer;
  if (failure) throw failure;
  return { body: { status: "ok" } };
}

async function looked(store) {
  try {
    await store.key(new Uint8Array(32));
    return { failure: undefined };
  } catch (failure) {
    return { failure };
  }
}

/** Compares digests, so the time does not depend on the request. */
async function authorize({ operatorToken, authorization }) {
  const digests = await Promise.all([operatorToken, authorization].map((text) => sha256(new TextEncoder().encode(text ?? ""))));
  if (!areEqual(...digests)) throw new Refusal("invalidToken");
}

/** `{account}` or `{account, after}`, with the last key ID of the previous page. */
export async function answerKeys(context) {
  await authorize(context);
  const { body, store } = context;
  const after = body.after === undefined ? undefined : decoded(context, "after", 32);
  const keys = await store.keys(accountOf(body.account), after, PAGE);
  return {
    body: {
      keys: keys.map(({ keyID, registeredAt, lastUsedAt, revokedAt }) => ({ keyID: encode(keyID), registeredAt, lastUsedAt, revokedAt })),
    },
  };
}

/** Revokes `{keyID}` or all keys of `{account}`, and returns the number. Repeat the request after a 503. */
export async function revoke(context) {
  await authorize(context);
  const { body, store, now } = context;
  if (body.account !== undefined) return { body: { revoked: await store.revokeKeys(accountOf(body.account), now) } };
  const keyID = decoded(context, "keyID", 32);
  const isRevoked = await store.revokeKey(keyID, now);
  // After a restore, the list rejects sessions of a key that the database lost.
  await store.consume({ id: keyID, until: now + REVOKED_KEY_LISTING });
  return { body: { revoked: isRevoked ? 1 : 0 } };
}
