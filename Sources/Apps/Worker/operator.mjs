/** Routes for the operator: health, and with OPERATOR_TOKEN an account's keys and revocation. */

import { encode } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { accountOf, decoded } from "./body.mjs";
import { Fault } from "./refusal.mjs";

const PAGE = 100;

/** Queries the database for any key. Later requests of the same second use the outcome, because anyone may request this. */
export async function answerHealth({ store, health, now }) {
  // While a query is in progress, other requests of the same second use the previous outcome. If there is no previous
  // outcome, they query too. They must not wait for this request's promise (see `reusing`).
  if (health.time !== now || health.outcome === undefined) {
    health.time = now;
    health.outcome = await store.rows("selectKey", [new Uint8Array(32)]).then(() => ({}), (failure) => ({ failure }));
  }
  if (health.outcome.failure) throw health.outcome.failure;
  return { body: { status: "ok" } };
}

/** Compares whole digests, so that the time does not depend on the request. */
async function authorize({ operatorToken, authorization }) {
  const digest = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [own, sent] = [await digest(operatorToken), await digest(authorization ?? "")];
  const difference = own.reduce((bits, byte, index) => bits | (byte ^ sent[index]), 0);
  if (difference !== 0) throw new Fault("invalidToken", { status: 401, code: "refused", step: "session" });
}

/**
 * Returns a page of an account's keys. The request is `{account}` or `{account, after}`, with the last key ID of the
 * previous page.
 */
export async function answerKeys(context) {
  await authorize(context);
  const { body, party } = context;
  const after = body.after === undefined ? undefined : decoded(context, "after", 32);
  const keys = await party.keys(accountOf(body.account), { after, limit: PAGE });
  return {
    body: {
      keys: keys.map(({ keyID, registeredAt, lastUsedAt, revokedAt }) => ({ keyID: encode(keyID), registeredAt, lastUsedAt, revokedAt })),
    },
  };
}

/** Revokes `{keyID}` or all keys of `{account}`, and returns the number of keys. Repeat the request after a 503. */
export async function revoke(context) {
  await authorize(context);
  const { body, party } = context;
  if (body.account !== undefined) return { body: { revoked: await party.revokeKeys(accountOf(body.account)) } };
  return { body: { revoked: (await party.revoke(decoded(context, "keyID", 32))) ? 1 : 0 } };
}
