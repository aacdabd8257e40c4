/** For whoever looks after the Worker, with OPERATOR_TOKEN: whether it is in order, the keys of an account, and revoking them. */

import { encode } from "./base64.mjs";
import { accountOf, decoded } from "./body.mjs";
import { CLOCK_MARGIN } from "./challenge.mjs";
import { areEqual, sha256 } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

const PAGE = 100;
/** RelyingPartyConfiguration.revokedKeyListing: the longest session, the longest challenge and the margin of clocks. */
const REVOKED_KEY_LISTING = 86_400 + 300 + CLOCK_MARGIN;

/** Asks the database once a second at most, as anyone may ask this; any key will do. */
export async function answerHealth({ store, health, now }) {
  // Kept before it is answered, so that requests which arrive meanwhile wait for the same question.
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

/** Compared by digests, which takes one time whatever was sent. */
async function authorize({ operatorToken, authorization }) {
  const digests = await Promise.all([operatorToken, authorization].map((text) => sha256(new TextEncoder().encode(text ?? ""))));
  if (!areEqual(...digests)) throw new Refusal("invalidToken");
}

/** `{account}` or `{account, after}`, the last key ID of the page before. */
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

/** `{keyID}` or `{account}`: how many were revoked. Repeat it if it is answered with 503. */
export async function revoke(context) {
  await authorize(context);
  const { body, store, now } = context;
  if (body.account !== undefined) return { body: { revoked: await store.revokeKeys(accountOf(body.account), now) } };
  const keyID = decoded(context, "keyID", 32);
  const isRevoked = await store.revokeKey(keyID, now);
  // Sessions of a key that the database has no more, as it was set back, are refused by the list.
  await store.consume({ id: keyID, until: now + REVOKED_KEY_LISTING });
  return { body: { revoked: isRevoked ? 1 : 0 } };
}
