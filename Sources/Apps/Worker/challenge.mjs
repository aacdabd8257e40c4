/**
 * Self-contained, authenticated challenges; nothing is stored until they are answered. The format is ChallengeFormat of
 * PureAttestServer:
 *
 *   version 1 · purpose 1 · issued at 8 · lifetime 2 · random 16 · of key 16 · of account 16 · tag 32
 *
 * The tag is HMAC-SHA-256 of the byte 0 and everything before the tag. The commitments to key and account are 16 bytes
 * of HMAC-SHA-256 of the byte 1 or 2, the random bytes, and the value. An account is preceded by 1; 0 represents none.
 */

import { encode } from "./base64.mjs";
import { areEqual, concatenate, hmac } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

export const PURPOSES = { attestation: 1, assertion: 2 };
export const CHALLENGE_SIZE = 92;
const CARRIED = 60;
const [TAG, KEY, ACCOUNT] = [0, 1, 2].map((domain) => Uint8Array.of(domain));
/**
 * The clock skew between a server's processes in seconds. Consumed values are remembered for so long after their end.
 */
export const CLOCK_MARGIN = 300;

const named = (account) => (account === null ? Uint8Array.of(0) : concatenate(Uint8Array.of(1), account));

async function commitments(key, random, keyID, account) {
  const [ofKey, ofAccount] = await Promise.all([
    hmac(key.challenges, KEY, random, keyID), hmac(key.challenges, ACCOUNT, random, named(account)),
  ]);
  return [ofKey.slice(0, 16), ofAccount.slice(0, 16)];
}

export async function seal(keys, { purpose, keyID, account, now, lifetime, random }) {
  const head = new DataView(new ArrayBuffer(12));
  head.setUint8(0, 1);
  head.setUint8(1, purpose);
  head.setBigInt64(2, BigInt(now));
  head.setUint16(10, lifetime);
  const carried = concatenate(new Uint8Array(head.buffer), random, ...(await commitments(keys[0], random, keyID, account)));
  return concatenate(carried, await hmac(keys[0].challenges, TAG, carried));
}

/** Verifies a challenge and returns the entry to remember once it is answered: `{id, until}`. */
export async function open(keys, value, { purpose, keyID, account, now }) {
  if (value.length !== CHALLENGE_SIZE) throw new Refusal("malformedRequest");
  const carried = value.slice(0, CARRIED);
  const key = await issuer(keys, carried, value.slice(CARRIED));
  if (!key || carried[0] !== 1) throw new Refusal("challengeNotIssued");
  const view = new DataView(carried.buffer);
  const expiresAt = Number(view.getBigInt64(2)) + view.getUint16(10);
  if (now >= expiresAt) throw new Refusal("challengeExpired");
  if (carried[1] !== purpose) throw new Refusal("challengeOfOtherPurpose");
  const random = carried.slice(12, 28);
  const [ofKey, ofAccount] = await commitments(key, random, keyID, account);
  if (!areEqual(carried.slice(28, 44), ofKey)) throw new Refusal("challengeOfOtherKey");
  if (!areEqual(carried.slice(44), ofAccount)) throw new Refusal("challengeOfOtherAccount");
  return { id: concatenate(Uint8Array.of(0x43), random), until: expiresAt + CLOCK_MARGIN };
}

/** Returns the key that issued the challenge; `verify` compares in constant time. */
async function issuer(keys, carried, tag) {
  const content = concatenate(TAG, carried);
  for (const key of keys) {
    if (await crypto.subtle.verify("HMAC", key.challenges, tag, content)) return key;
  }
  return undefined;
}

/** Issues a challenge for this request's account. Writes nothing. */
export function challengeFor({ keys, account, now, challengeLifetime: lifetime }, purpose, keyID) {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return seal(keys, { purpose, keyID, account, now, lifetime, random });
}

/** Returns the header with the next challenge of an authenticated key, which saves a request. */
export async function nextChallenge(context, keyID) {
  return { "attest-challenge": encode(await challengeFor(context, PURPOSES.assertion, keyID)) };
}
