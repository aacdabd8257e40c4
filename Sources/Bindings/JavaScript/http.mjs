/**
 * The relying party behind fetch-style handlers, as in Workers, Deno, Bun and Supabase: the routes that a client's
 * library needs, and wrappers for the app's own routes. Headers, messages and answers are those of the Swift service
 * (Sources/Apps/Service/openapi.json). Types: http.d.mts.
 */

import { clientAddressOf } from "./client-address.mjs";
import { limitOf, membersOf } from "./pure-attest.mjs";
import { Refusal } from "./relying-party.mjs";

/** RelyingPartyConfiguration.maximumClientData, the limit of method, target and body together. */
const MAXIMUM_BODY = 65_536;
const COMMON = ["account", "clientAddress", "onError"];
/** The HTTP statuses of faults that are found before any verification (RequestFault of the service). */
const FAULTS = { malformedRequest: 400, tooLarge: 413, unsupportedMediaType: 415 };

/** A fault in the form of a request. */
export class RequestFault extends Error {
  constructor(code) {
    super(code);
    this.name = "RequestFault";
    this.code = code;
    this.status = FAULTS[code];
  }
}

export function answerTo(error) {
  const { status, code, retryAfter = null, balance = null } =
    error instanceof Refusal || error instanceof RequestFault ? error : { status: 503, code: "serverUnavailable" };
  return {
    status,
    body: { error: code, ...balance },
    headers: {
      "cache-control": "no-store",
      ...(retryAfter !== null && { "retry-after": String(retryAfter) }),
      // RFC 9110 §15.5.2: a 401 names an authentication scheme.
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    },
  };
}

/** Makes one relying party for all requests, and another one after a failure or a trap. */
export function reusing(make) {
  let made;
  const current = async (...rest) => {
    const attempt = (made ??= new Promise((resolve) => { resolve(make(...rest)); }));
    const forget = () => {
      if (made === attempt) made = undefined;
    };
    try {
      const party = await attempt;
      if (party.isBroken) forget();
      return party;
    } catch (error) {
      forget();
      throw error;
    }
  };
  return async (...rest) => {
    const party = await current(...rest);
    // Once only: `make` may return the same broken party again, whose calls then fail.
    return party.isBroken ? current(...rest) : party;
  };
}

export function withSession(party, handler, options) {
  if (typeof handler !== "function") throw new TypeError("handler: a function");
  return wrapped(party, options, COMMON, async ({ current, request, rest }) => {
    // A missing token is an invalid token.
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
    const [keyID, challenge, assertion] = ["Attest-Key", "Attest-Challenge", "Attest-Assertion"].map((name) => fromHeader(request, name));
    if (keyID.length !== 32) throw new RequestFault("malformedRequest");
    const [method, path] = [request.method, target(request)].map((text) => new TextEncoder().encode(text));
    // All three share one limit, so that every body that is read can be verified.
    const room = current.maximumClientData - method.length - path.length;
    if (room < 0) throw new RequestFault("tooLarge");
    const body = await bodyOf(request, Math.min(maximumBody, room));
    const authentication = await current.authenticate({
      assertion, keyID, challenge, request: { method, target: path, body }, ...(await caller()),
    });
    // The handler gets the bytes that were signed.
    const signed = request.body === null ? request : new Request(request, { body });
    return { holder: authentication, accepted: () => handler(signed, authentication, ...rest) };
  });
}

const SIGNED = [...COMMON, "maximumBody", "target"];

/** The size of an attestation of 64 KiB in Base64 with the rest of its message. */
const ROUTES = {
  "/challenge": { maximum: 1_024, members: ["purpose", "keyID"], run: challengeFor },
  "/attest": { maximum: 98_304, members: ["keyID", "challenge", "attestation"], run: register },
  "/session": { maximum: 8_192, members: ["keyID", "challenge", "assertion"], run: openSession },
};

export function attestRoutes(party, options) {
  const names = [...COMMON, "prefix"];
  const { prefix = "" } = membersOf(options, "options", names);
  if (typeof prefix !== "string") throw new TypeError("prefix: a text");
  return async (request, ...rest) => {
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : "";
    if (request.method !== "POST" || !Object.hasOwn(ROUTES, path)) return undefined;
    const { maximum, members, run } = ROUTES[path];
    const answer = wrapped(party, options, names, async ({ current, caller }) => {
      const message = await messageOf(request, maximum, members);
      const { holder, body } = await run(current, message, caller);
      return { holder, accepted: () => json(200, body, {}) };
    });
    return answer(request, ...rest);
  };
}

async function challengeFor(party, { purpose, keyID }, caller) {
  if (purpose !== "attestation" && purpose !== "assertion") throw new RequestFault("malformedRequest");
  const { challenge, expiresAt } = await party.issueChallenge({ purpose, keyID: keyOf(keyID), ...(await caller()) });
  return { body: { challenge: toBase64(challenge), expiresAt } };
}

async function register(party, { keyID, challenge, attestation }, caller) {
  const registration = await party.register({
    attestation: decoded(attestation), keyID: keyOf(keyID), challenge: decoded(challenge), ...(await caller()),
  });
  const { isNew, session } = registration;
  return { holder: registration, body: { keyID: toBase64(registration.keyID), isNew, ...session } };
}

async function openSession(party, { keyID, challenge, assertion }, caller) {
  const authentication = await party.authenticate({
    assertion: decoded(assertion), keyID: keyOf(keyID), challenge: decoded(challenge), ...(await caller()),
  });
  return { holder: authentication, body: authentication.session };
}

/**
 * Returns a handler that first runs `prove`, which returns the proven key and a function for the response. Answers
 * every error until then; of that function's errors only rejections, because the others are the app's own.
 */
function wrapped(party, options, names, prove) {
  const { account = none, clientAddress = none, onError = report } = membersOf(options, "options", names);
  for (const [name, value] of Object.entries({ account, clientAddress, onError })) {
    if (typeof value !== "function") throw new TypeError(`${name}: a function`);
  }
  const isParty = typeof party === "function" || typeof party?.verifySession === "function";
  if (!isParty) throw new TypeError("party: a RelyingParty, or a function");
  return async (request, ...rest) => {
    const refuse = async (error) => {
      await onError(error, request);
      const { status, body, headers } = answerTo(error);
      return json(status, body, headers);
    };
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
      return refuse(error);
    }
    let response;
    try {
      response = await proven.accepted();
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof RequestFault)) throw error;
      response = await refuse(error);
    }
    return withNextChallenge(response, current, proven.holder, accountOnce);
  };
}

const none = () => undefined;

/** Rejections are answers; other errors need an operator. */
function report(error) {
  if (!(error instanceof Refusal || error instanceof RequestFault)) console.error(error);
}

/**
 * Adds the challenge for the key's next assertion, which saves the device a request (like DPoP nonces, RFC 9449 §8.2).
 * It asks no store and counts against no limit.
 */
async function withNextChallenge(response, party, holder, account) {
  const headers = { ...(!response.headers.has("cache-control") && { "cache-control": "no-store" }) };
  if (holder) {
    try {
      const { challenge } = await party.issueChallenge({ purpose: "assertion", keyID: holder.keyID, account: await account() });
      headers["attest-challenge"] = toBase64(challenge);
    } catch {
      // The device asks for one.
    }
  }
  return withHeaders(response, headers);
}

function withHeaders(response, headers) {
  try {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  } catch {
    // The headers of a fetched response are immutable.
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

/** Returns the bearer token (RFC 6750 §2.1), or undefined. */
const bearerOf = (request) => /^Bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1];

/** The request target, as in the URL Standard: without dot segments. A client signs this form. */
const targetOf = (request) => /^[^/]*\/\/[^/?#]*([^#]*)/.exec(request.url)[1];

const fromHeader = (request, name) => decoded(request.headers.get(name) ?? undefined);

function keyOf(text) {
  const keyID = decoded(text);
  if (keyID.length !== 32) throw new RequestFault("malformedRequest");
  return keyID;
}

async function bodyOf(request, maximum) {
  // Content-Length is only a hint; the received bytes are counted.
  if (Number(request.headers.get("content-length")) > maximum) throw new RequestFault("tooLarge");
  const reader = request.body?.getReader();
  const chunks = [];
  let count = 0;
  for (let part; reader && !(part = await reader.read()).done; chunks.push(part.value)) {
    count += part.value.length;
    if (count <= maximum) continue;
    await reader.cancel();
    throw new RequestFault("tooLarge");
  }
  const body = new Uint8Array(count);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

/** Returns a JSON object that has exactly these members, all texts. */
async function messageOf(request, maximum, members) {
  // RFC 9110 §8.3.1: the type ignores case. RFC 8259 §11: parameters have no meaning.
  const type = request.headers.get("content-type") ?? "";
  if (!/^[ \t]*application\/json[ \t]*(?:;|$)/i.test(type)) throw new RequestFault("unsupportedMediaType");
  const bytes = await bodyOf(request, maximum);
  let text;
  let message;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    message = JSON.parse(text);
  } catch {
    throw new RequestFault("malformedRequest");
  }
  const isObject = typeof message === "object" && message !== null && !Array.isArray(message);
  const names = isObject ? Object.keys(message) : [];
  // JSON.parse keeps one of two members with the same name; the text then has more strings than names and values.
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const isText = (name) => Object.hasOwn(message, name) && typeof message[name] === "string";
  const isWhole = names.length === members.length && members.every((name) => isObject && isText(name));
  if (!isWhole || strings.length !== 2 * names.length) throw new RequestFault("malformedRequest");
  return message;
}

function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** Decodes either alphabet of Base64 (RFC 4648 §4, §5), which has one accepted spelling for each value. */
function decoded(text) {
  const isBase64 = typeof text === "string" && /^(?:[A-Za-z0-9+/]*|[\w-]*)={0,2}$/.test(text);
  const unpadded = isBase64 ? text.replace(/=+$/, "") : "";
  const isPadded = unpadded !== text;
  if (!isBase64 || unpadded.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) throw new RequestFault("malformedRequest");
  const standard = unpadded.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
  // The bits after the last byte are zero (§3.5). Only the last group has any.
  const last = bytes.length - (bytes.length % 3);
  if (toBase64(bytes.subarray(last)).replace(/=+$/, "") !== standard.slice((last / 3) * 4)) throw new RequestFault("malformedRequest");
  return bytes;
}
