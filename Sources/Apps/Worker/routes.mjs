/** The routes of devices. Each route decodes a request, calls the relying party, and encodes the answer. */

import { decode, encode } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { targetOf } from "../../Bindings/JavaScript/RelyingParty/request-body.mjs";
import { CHALLENGE_PURPOSES, MAXIMUM_BYTES } from "../../Bindings/JavaScript/Generated/server-facts.mjs";
import { decoded } from "./body.mjs";
import { Fault } from "./refusal.mjs";

/** The maximum number of signed bytes: method, target and body together. */
export const MAXIMUM_SIGNED = MAXIMUM_BYTES.clientData;

export async function issueChallenge(context) {
  const { party, body: { purpose }, account, clientAddress } = context;
  const keyID = decoded(context, "keyID", 32);
  if (!CHALLENGE_PURPOSES.includes(purpose)) throw Fault.malformed("purpose");
  const { challenge, expiresAt } = await party.issueChallenge({ purpose, keyID, account, clientAddress });
  return { body: { challenge: encode(challenge), expiresAt } };
}

/** Returns the header with the next challenge for an authenticated key, which saves the device a request. */
export async function nextChallenge({ party, account }, keyID) {
  const { challenge } = await party.issueChallenge({ purpose: "assertion", keyID, account });
  return { "attest-challenge": encode(challenge) };
}

export async function register(context) {
  const { party, account } = context;
  const keyID = decoded(context, "keyID", 32);
  const [challenge, attestation] = ["challenge", "attestation"].map((name) => decoded(context, name));
  const { isNew, session } = await party.register({ attestation, keyID, challenge, account });
  return { headers: await nextChallenge(context, keyID), body: { keyID: encode(keyID), isNew, ...session } };
}

export async function openSession(context) {
  const { party, account } = context;
  const keyID = decoded(context, "keyID", 32);
  const [challenge, assertion] = ["challenge", "assertion"].map((name) => decoded(context, name));
  const { session } = await party.authenticate({ assertion, keyID, challenge, account });
  return { headers: await nextChallenge(context, keyID), body: session };
}

/**
 * Verifies that a registered key signed this request: method, target, body and a challenge. Three headers contain the
 * key, the challenge and the assertion. The client must sign the target in the form of the URL Standard (without dot
 * segments), which the platform's URL has.
 */
export async function authenticateRequest({ party, request, bytes: body, account, entry }) {
  const [keyID, challenge, assertion] = ["Attest-Key", "Attest-Challenge", "Attest-Assertion"].map((name) => {
    const value = decode(request.headers.get(name) ?? "%");
    if (!value || (name === "Attest-Key" && value.length !== 32)) throw Fault.malformed(name);
    return value;
  });
  entry.keyID = encode(keyID);
  const [method, target] = [request.method, targetOf(request)].map((text) => new TextEncoder().encode(text));
  if (method.length + target.length + body.length > MAXIMUM_SIGNED) throw Fault.tooLarge();
  return party.authenticate({ assertion, keyID, challenge, request: { method, target, body }, account });
}

export async function verifySession({ party, authorization, entry }) {
  const session = await party.verifySession(authorization);
  entry.keyID = encode(session.keyID);
  return session;
}

export const provenKey = (context) => (context.request.headers.has("Attest-Key") ? authenticateRequest : verifySession)(context);

/** Returns a route that answers with the key that `prove` verifies. */
const answerKey = (prove) => async (context) => {
  const { keyID } = await prove(context);
  return { headers: await nextChallenge(context, keyID), body: { keyID: encode(keyID) } };
};

export const answerProtected = answerKey(verifySession);
export const answerSigned = answerKey(authenticateRequest);

/** Ends the session. Has no effect if tokens are valid until they expire. */
export async function logOut(context) {
  const session = await verifySession(context);
  await context.party.endSession(session);
  return { status: 204, headers: await nextChallenge(context, session.keyID) };
}

/** Opens a session for a device without App Attest, which is never valid on routes that require an attested session. */
export async function openUnattested({ party, clientAddress }) {
  return { body: await party.unattestedSession(clientAddress ?? new Uint8Array()) };
}

export async function answerOpen(context) {
  const { party, authorization, entry } = context;
  try {
    await party.verifyUnattestedSession(authorization);
    entry.tier = "unattested";
  } catch (error) {
    if (error.reason !== "invalidToken") throw error;
    await verifySession(context);
    entry.tier = "attested";
  }
  return { body: { open: true } };
}
