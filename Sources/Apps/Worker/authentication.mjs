/** Assertions over a challenge or a whole request: RelyingParty+Authentication and SignedContent. */

import { RefusedError } from "../../Bindings/JavaScript/pure-attest.mjs";
import { decode, encode } from "./base64.mjs";
import { decoded } from "./body.mjs";
import { PURPOSES, nextChallenge, open } from "./challenge.mjs";
import { areEqual, concatenate, sha256 } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";
import { openSession } from "./sessions.mjs";

/** InputLimits of PureAttest, and RelyingPartyConfiguration.maximumClientData. */
const MAXIMUM_ASSERTION = 4_096;
export const MAXIMUM_SIGNED = 65_536;
/**
 * The most attempts to verify an assertion while other assertions of the same key are stored. A Worker's request may
 * query its database only so often; the Swift server tries 64 times.
 */
const MAXIMUM_ATTEMPTS = 16;
/** Errors in the database's record, which come before the signature check. */
const OF_THE_RECORD = [
  "inputTooLarge", "malformedKeyRecord", "unsupportedKeyRecord", "unknownKeyRecordField", "invalidPublicKey", "keyOfOtherEnvironment",
];
const LABEL = new TextEncoder().encode("PureAttest request 1\0");

export async function openSigned(context) {
  const keyID = decoded(context, "keyID", 32);
  const challenge = decoded(context, "challenge");
  const { key, verified } = await authenticate(context, { keyID, challenge, assertion: decoded(context, "assertion"), signed: challenge });
  return { headers: await nextChallenge(context, keyID), body: await openSession(context, verified, keyID, key.account) };
}

/** `POST /signed`: returns the key of the request. */
export async function answerSigned(context) {
  const { keyID } = await authenticateRequest(context);
  return { headers: await nextChallenge(context, keyID), body: { keyID: encode(keyID) } };
}

/**
 * Verifies that a registered key signed this request: method, target, body and a challenge. Three headers name the key,
 * the challenge and the assertion. The target is the platform's URL in the form of the URL Standard (without dot
 * segments); a client signs that form.
 */
export async function authenticateRequest(context) {
  const { request, bytes, entry } = context;
  const [keyID, challenge, assertion] = ["Attest-Key", "Attest-Challenge", "Attest-Assertion"].map((name) => {
    const value = decode(request.headers.get(name) ?? "%");
    if (!value || (name === "Attest-Key" && value.length !== 32)) throw new Refusal("malformedRequest", { detail: name });
    return value;
  });
  entry.keyID = encode(keyID);
  const target = /^[^/]*\/\/[^/?#]*([^#]*)/.exec(request.url)[1];
  const [method, path] = [request.method, target].map((text) => new TextEncoder().encode(text));
  if (method.length + path.length + bytes.length > MAXIMUM_SIGNED) throw new Refusal("tooLarge");
  const signed = concatenate(LABEL, ...[method, path, await sha256(bytes), challenge, keyID].flatMap((field) => [lengthOf(field), field]));
  const { key } = await authenticate(context, { keyID, challenge, assertion, signed });
  return { keyID, account: key.account };
}

function lengthOf(field) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, field.length);
  return bytes;
}

/** `signed`: the client data, either the challenge itself or bytes made here that contain it. */
async function authenticate(context, object) {
  const { env, limits, keys, store, account, now } = context;
  const { keyID, challenge, assertion } = object;
  if (assertion.length > MAXIMUM_ASSERTION) throw new Refusal("malformedRequest", { detail: "assertion" });
  const token = await open(keys, challenge, { purpose: PURPOSES.assertion, keyID, account, now });
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    const key = await store.key(keyID);
    // Last before the verification, because others of the account may have failed meanwhile.
    if (account) await limits.check(env, "FAILURES", account, now);
    // An Android key cannot have made an assertion.
    if (!key || key.isAndroid) {
      await imitateVerification(context, object);
      throw new Refusal("unknownKey");
    }
    const verified = await verify(context, object, key, token);
    // Charged only after the signature, so only the device itself pays; before the counter, so that the same answer can
    // be repeated.
    if (attempt === 0) await limits.admit(env, "KEYS", keyID, now);
    const outcome = await store.recordUse(keyID, key.record, verified, now, token);
    if (outcome === "alreadyConsumed") throw new Refusal("challengeConsumed");
    if (outcome === "done") return { key, verified };
    // Another assertion of this key was stored first: verify this one against the new record.
  }
  throw new Refusal("contended", { retryAfter: 1 });
}

function verifyBy({ verifier, now }, { assertion, challenge, signed }, keyRecord) {
  // Bytes made here contain the right challenge already.
  return verifier.verifyAssertion({ assertion, clientData: signed, challenge: signed === challenge ? challenge : null, keyRecord, now });
}

async function verify(context, object, key, token) {
  const { store, account } = context;
  let verified;
  try {
    verified = verifyBy(context, object, key.record);
  } catch (error) {
    if (OF_THE_RECORD.includes(error.code)) imitate(context, object);
    // The device signed, but another of its requests came first: not a failure of its account.
    const isOvertaken = ["counterNotIncreased", "counterReplayed"].includes(error.code);
    if (error instanceof RefusedError && !isOvertaken) await context.limits.noteFailure(context.env, context.account, context.now);
    // The challenge is consumed: an accepted request was sent again.
    if (isOvertaken && (await store.isConsumed(token.id))) throw new Refusal("challengeConsumed");
    throw error;
  }
  // After the signature: only the device itself learns the state of its key.
  let refusal;
  if (key.revokedAt !== null) refusal = "revokedKey";
  else if (account !== null && !areEqual(account, key.account)) refusal = "keyOfOtherAccount";
  if (!refusal) return verified;
  await context.limits.noteFailure(context.env, context.account, context.now);
  throw new Refusal(refusal);
}

/** With uniform answers, takes the time of a verification and counts as a failed one. */
async function imitateVerification(context, object) {
  if (imitate(context, object)) await context.limits.noteFailure(context.env, context.account, context.now);
}

/** With uniform answers, verifies with a decoy key. */
function imitate(context, object) {
  if (!context.decoyKey) return false;
  try {
    verifyBy(context, object, context.decoyKey);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  return true;
}
