/**
 * The relying party behind fetch-style handlers, as in Workers, Deno, Bun and Supabase: the routes that a client's
 * library needs, and wrappers for the app's own routes. The Swift service has the same headers, messages and answers
 * (Sources/Apps/Service/openapi.json). Types: http.d.mts.
 */

import { decode, encode } from "./base64.mjs";
import { clientAddressOf } from "./client-address.mjs";
import { limitOf, membersOf } from "../Verifier/arguments.mjs";
import { Refusal, refusalHeaders } from "./refusal.mjs";
import {
  MAXIMUM_ATTESTATION, MAXIMUM_NOTIFICATION, MAXIMUM_PURCHASE, bearerOf, bodyUpTo, hasJSONType, hasMembers, messageIn, targetOf,
} from "./request-body.mjs";
import { CHALLENGE_PURPOSES, MAXIMUM_BYTES } from "../Generated/server-facts.mjs";

/** The common limit of method, target and body, in bytes. */
const MAXIMUM_BODY = MAXIMUM_BYTES.clientData;
const COMMON = ["account", "clientAddress", "onError"];
/** The HTTP statuses of faults that are found before any verification (RequestFault of the service). */
const FAULTS = { malformedRequest: 400, tooLarge: 413, unsupportedMediaType: 415 };

export class RequestFault extends Error {
  constructor(code) {
    super(code);
    this.name = "RequestFault";
    this.code = code;
    this.status = FAULTS[code];
  }
}

export function answerTo(error) {
  const { status, code, retryAfter, balance } = isRejection(error) ? error : { status: 503, code: "serverUnavailable" };
  return { status, body: { error: code, ...balance }, headers: { "cache-control": "no-store", ...refusalHeaders({ status, retryAfter }) } };
}

const isRejection = (error) => error instanceof Refusal || error instanceof RequestFault;

/** Reports an error, and returns its response. */
async function refuse(error, request, onError) {
  await onError(error, request);
  const { status, body, headers } = answerTo(error);
  return json(status, body, headers);
}

/** The time in milliseconds after which a request no longer waits for the party that another request makes. */
const PATIENCE = 5_000;

export function reusing(make) {
  let made; // the last call of `make`: {} until it ends, then { party } or { error }
  const forget = (attempt) => {
    if (made === attempt) made = undefined;
  };
  async function attempted(rest) {
    const attempt = (made = {});
    try {
      attempt.party = await make(...rest);
    } catch (error) {
      attempt.error = error;
      forget(attempt);
      throw error;
    }
    if (attempt.party.isBroken) forget(attempt);
    return attempt.party;
  }
  async function current(rest) {
    const attempt = made;
    if (attempt === undefined) return attempted(rest);
    // Polls with this request's own timer instead of awaiting the other request's promise. If the other request is
    // cancelled, its promise never settles in Workers. Workers also end a request that awaits no I/O or timer of its
    // own.
    for (const end = Date.now() + PATIENCE; !("party" in attempt || "error" in attempt);) {
      if (Date.now() >= end) {
        forget(attempt);
        return current(rest);
      }
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
    if ("error" in attempt) throw attempt.error;
    if (attempt.party.isBroken) forget(attempt);
    return attempt.party;
  }
  return async (...rest) => {
    const party = await current(rest);
    // Tries only once more, because `make` may return the same broken party again. The calls of that party then fail.
    return party.isBroken ? current(rest) : party;
  };
}

export function withSession(party, handler, options) {
  if (typeof handler !== "function") throw new TypeError("handler: a function");
  return wrapped(party, options, COMMON, async ({ current, request, rest }) => {
    // A missing token is treated as an invalid token.
    const session = await current.verifySession(bearerOf(request));
    return { holder: session, accepted: () => handler(request, session, ...rest) };
  });
}

export function withAssertion(party, handler, options) {
  if (typeof handler !== "function") throw new TypeError("handler: a function");
  const { maximumBody = MAXIMUM_BODY, target = targetOf } = membersOf(options, "options", SIGNED);
  limitOf(maximumBody, "maximumBody");
  if (typeof target !== "function") throw new TypeError("target: a function");
  return wrapped(party, options, SIGNED, async ({ current, request, rest, caller }) => {
    const keyID = keyOf(request.headers.get("Attest-Key"));
    const [challenge, assertion] = ["Attest-Challenge", "Attest-Assertion"].map((name) => decoded(request.headers.get(name)));
    const [method, path] = [request.method, target(request)].map((text) => new TextEncoder().encode(text));
    // Method, target and body share one limit. So the verifier never rejects a body as too large after it was read.
    const room = current.maximumClientData - method.length - path.length;
    if (room < 0) throw new RequestFault("tooLarge");
    const body = await bodyOf(request, Math.min(maximumBody, room));
    const authentication = await current.authenticate({
      assertion, keyID, challenge, request: { method, target: path, body }, ...(await caller()),
    });
    // The handler receives a request with the verified body, because the original body was consumed.
    const signed = request.body === null ? request : new Request(request, { body });
    return { holder: authentication, accepted: () => handler(signed, authentication, ...rest) };
  });
}

const SIGNED = [...COMMON, "maximumBody", "target"];

const ROUTES = {
  "/challenge": { maximum: 1_024, members: ["purpose", "keyID"], run: challengeFor },
  "/attest": { maximum: MAXIMUM_ATTESTATION, members: ["keyID", "challenge", "attestation"], run: register },
  "/session": { maximum: 8_192, members: ["keyID", "challenge", "assertion"], run: openSession },
};

export function attestRoutes(party, options) {
  const names = [...COMMON, "prefix"];
  const { prefix = "" } = membersOf(options, "options", names);
  if (typeof prefix !== "string") throw new TypeError("prefix: a text");
  const handlers = new Map(Object.entries(ROUTES).map(([path, { maximum, members, run }]) => [
    prefix + path,
    wrapped(party, options, names, async ({ current, request, caller }) => {
      const message = await messageOf(request, maximum, members);
      const { holder, body } = await run(current, message, caller);
      return { holder, accepted: () => json(200, body, {}) };
    }),
  ]));
  return async (request, ...rest) => {
    const handler = request.method === "POST" ? handlers.get(new URL(request.url).pathname) : undefined;
    return handler?.(request, ...rest);
  };
}

export function purchaseRoutes(party, purchases, options) {
  const { prefix = "", ...common } = membersOf(options, "options", [...COMMON, "prefix"]);
  if (typeof prefix !== "string") throw new TypeError("prefix: a text");
  if (typeof purchases !== "function" && typeof purchases?.receiveNotification !== "function") {
    throw new TypeError("purchases: Purchases, or a function");
  }
  const { onError = report } = common;
  const current = (rest) => (typeof purchases === "function" ? purchases(...rest) : purchases);
  const register = async (request, { keyID }, ...rest) => {
    try {
      const { signedTransaction } = await messageOf(request, MAXIMUM_PURCHASE, ["signedTransaction"]);
      const { productID, expiresAt } = await (await current(rest)).register({ signedTransaction, keyID });
      return json(200, { productID, ...(expiresAt !== null && { expiresAt }) }, {});
    } catch (error) {
      return refuse(error, request, onError);
    }
  };
  const [bySession, bySignature] = [withSession, withAssertion].map((wrap) => wrap(party, register, common));
  const notify = async (request, rest) => {
    try {
      await (await current(rest)).receiveNotification(await bodyOf(request, MAXIMUM_NOTIFICATION));
      return new Response(null, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      await onError(error, request);
      return json(500, { error: "internalError" }, { "cache-control": "no-store" });
    }
  };
  return async (request, ...rest) => {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST") return undefined;
    if (pathname === `${prefix}/notifications`) return notify(request, rest);
    if (pathname !== `${prefix}/purchase`) return undefined;
    return (request.headers.has("Attest-Key") ? bySignature : bySession)(request, ...rest);
  };
}

async function challengeFor(party, { purpose, keyID }, caller) {
  if (!CHALLENGE_PURPOSES.includes(purpose)) throw new RequestFault("malformedRequest");
  const { challenge, expiresAt } = await party.issueChallenge({ purpose, keyID: keyOf(keyID), ...(await caller()) });
  return { body: { challenge: encode(challenge), expiresAt } };
}

async function register(party, { keyID, challenge, attestation }, caller) {
  const registration = await party.register({
    attestation: decoded(attestation), keyID: keyOf(keyID), challenge: decoded(challenge), ...(await caller()),
  });
  const { isNew, session } = registration;
  return { holder: registration, body: { keyID: encode(registration.keyID), isNew, ...session } };
}

async function openSession(party, { keyID, challenge, assertion }, caller) {
  const authentication = await party.authenticate({
    assertion: decoded(assertion), keyID: keyOf(keyID), challenge: decoded(challenge), ...(await caller()),
  });
  return { holder: authentication, body: authentication.session };
}

/**
 * Returns a handler that first runs `prove`, which returns the proven key and a function for the response. Every error of
 * `prove` becomes a response. Of the function's errors, only rejections do: the others are the app's.
 */
function wrapped(party, options, names, prove) {
  const { account = none, clientAddress = none, onError = report } = membersOf(options, "options", names);
  for (const [name, value] of Object.entries({ account, clientAddress, onError })) {
    if (typeof value !== "function") throw new TypeError(`${name}: a function`);
  }
  const isParty = typeof party === "function" || typeof party?.verifySession === "function";
  if (!isParty) throw new TypeError("party: a RelyingParty, or a function");
  return async (request, ...rest) => {
    let user;
    const accountOnce = () => (user ??= Promise.resolve(account(request, ...rest)));
    const caller = async () => ({
      account: await accountOnce(), clientAddress: addressFrom(await clientAddress(request, ...rest)),
    });
    let current;
    let proven;
    try {
      current = typeof party === "function" ? await party(...rest) : party;
      proven = await prove({ current, request, rest, caller });
    } catch (error) {
      return refuse(error, request, onError);
    }
    let response;
    try {
      response = await proven.accepted();
    } catch (error) {
      if (!isRejection(error)) throw error;
      response = await refuse(error, request, onError);
    }
    return withNextChallenge(response, current, proven.holder, accountOnce);
  };
}

const none = () => undefined;

/** Logs only errors that need an operator; rejections are normal responses. */
function report(error) {
  if (!isRejection(error)) console.error(error);
}

/**
 * Adds the challenge for the key's next assertion, which saves the device a request (like DPoP nonces, RFC 9449 §8.2).
 * Queries no store and counts against no limit.
 */
async function withNextChallenge(response, party, holder, account) {
  const headers = { ...(!response.headers.has("cache-control") && { "cache-control": "no-store" }) };
  if (holder) {
    try {
      const { challenge } = await party.issueChallenge({ purpose: "assertion", keyID: holder.keyID, account: await account() });
      headers["attest-challenge"] = encode(challenge);
    } catch {
      // Without this header, the device requests a challenge itself.
    }
  }
  return withHeaders(response, headers);
}

function withHeaders(response, headers) {
  try {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  } catch {
    // The headers of a response from `fetch` are immutable, so the response is copied.
    return withHeaders(new Response(response.body, response), headers);
  }
}

function json(status, body, headers) {
  return new Response(JSON.stringify(body), { status, headers: { ...headers, "content-type": "application/json; charset=utf-8" } });
}

function addressFrom(address) {
  if (typeof address !== "string") return address ?? undefined;
  const bytes = clientAddressOf(address);
  if (!bytes) throw new RequestFault("malformedRequest");
  return bytes;
}

function keyOf(text) {
  const keyID = decoded(text);
  if (keyID.length !== 32) throw new RequestFault("malformedRequest");
  return keyID;
}

async function bodyOf(request, maximum) {
  const body = await bodyUpTo(request, maximum);
  if (!body) throw new RequestFault("tooLarge");
  return body;
}

/** Returns a JSON object that has exactly these members, all of them texts. */
async function messageOf(request, maximum, members) {
  if (!hasJSONType(request)) throw new RequestFault("unsupportedMediaType");
  const message = messageIn(await bodyOf(request, maximum));
  if (!message || !hasMembers(message, members)) throw new RequestFault("malformedRequest");
  return message;
}

function decoded(text) {
  const bytes = decode(text);
  if (!bytes) throw new RequestFault("malformedRequest");
  return bytes;
}
