/** For whoever looks after the Worker, with OPERATOR_TOKEN: whether it is in order, the keys of an account, and revoking them. */

import { encode } from "./base64.mjs";
import { accountOf, decoded } from "./body.mjs";
import { CLOCK_MARGIN } from "./challenge.mjs";
import { areEqual, sha256 } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

const PAGE = 100;
/** RelyingPartyConfiguration.revokedKeyListing: the longest session, the longest challenge and the margin of clocks. */
const REVOKED_KEY_LISTING = 86_400 + 300 + CLOCK_MARGIN;

/** Any key: whether the database answers is the question. */
export async function answerHealth({ store }) {
  await store.key(new Uint8Array(32));
  return { body: { status: "ok" } };
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
      keys: await Promise.all(keys.map(async ({ record, registeredAt, lastUsedAt, revokedAt }) => ({
        // The record has the public key at 34 (AttestedKey.serialized), and its hash is the key's identifier.
        keyID: encode(await sha256(record.slice(34, 99))), registeredAt, lastUsedAt, revokedAt,
      }))),
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
  await store.spend({ id: keyID, until: now + REVOKED_KEY_LISTING });
  return { body: { revoked: isRevoked ? 1 : 0 } };
}
