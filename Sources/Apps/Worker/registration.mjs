/** Challenges, and registration of keys: RelyingParty+Registration of PureAttestServer. */

import { RefusedError } from "../../Bindings/JavaScript/pure-attest.mjs";
import { encode } from "./base64.mjs";
import { decoded } from "./body.mjs";
import { PURPOSES, challengeFor, nextChallenge, open } from "./challenge.mjs";
import { admitEnrolment } from "./enrolment.mjs";
import { areEqual } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";
import { openSession } from "./sessions.mjs";

/** InputLimits of PureAttest. */
const MAXIMUM_ATTESTATION = 65_536;

export async function issueChallenge(context) {
  const { body, now, challengeLifetime } = context;
  const keyID = decoded(context, "keyID", 32);
  if (!Object.hasOwn(PURPOSES, body.purpose)) throw new Refusal("malformedRequest", { detail: "purpose" });
  const purpose = PURPOSES[body.purpose];
  if (purpose === PURPOSES.attestation) await admitEnrolment(context, keyID);
  return { body: { challenge: encode(await challengeFor(context, purpose, keyID)), expiresAt: now + challengeLifetime } };
}

/** A failed attempt writes nothing: the device signs this challenge, so no other client can use it. */
export async function register(context) {
  const { keys, store, account, now } = context;
  const keyID = decoded(context, "keyID", 32);
  const challenge = decoded(context, "challenge");
  const attestation = decoded(context, "attestation");
  if (attestation.length > MAXIMUM_ATTESTATION) throw new Refusal("malformedRequest", { detail: "attestation" });
  const token = await open(keys, challenge, { purpose: PURPOSES.attestation, keyID, account, now });
  const verified = await verify(context, { attestation, keyID, challenge });
  const { keyRecord: record, receipt } = verified;
  const outcome = await store.insertKey({ keyID, record, account, receipt, registeredAt: now }, token);
  if (outcome === "alreadyConsumed") throw new Refusal("challengeConsumed");
  if (outcome === "otherState") checkExisting(await store.key(keyID), record, account);
  const session = await openSession(context, verified, keyID, account);
  return { headers: await nextChallenge(context, keyID), body: { keyID: encode(keyID), isNew: outcome === "done", ...session } };
}

async function verify(context, object) {
  const { env, limits, verifier, account, now } = context;
  if (account) await limits.check(env, "FAILURES", account, now);
  try {
    return verifier.verifyAttestation({ ...object, now, verifyReceipt: true });
  } catch (error) {
    if (error instanceof RefusedError) await limits.noteFailure(env, account, now);
    throw error;
  }
}

/** An existing key keeps its record, counter included. */
function checkExisting(existing, record, account) {
  if (!existing) throw new Error("a key is neither inserted nor there");
  if (existing.isAndroid || existing.record[1] !== record[1]) throw new Refusal("keyOfOtherEnvironment");
  if (!areEqual(existing.account, account)) throw new Refusal("keyOfOtherAccount");
  if (existing.revokedAt !== null) throw new Refusal("revokedKey");
}
