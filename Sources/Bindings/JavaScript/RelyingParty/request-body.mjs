/**
 * Reads the parts of a request: the target, the bearer token, and a body up to a limit with its JSON message. Also reads
 * the bodies of responses.
 */

/** The largest body of /attest: an attestation of 64 KiB in Base64, with the rest of its message. */
export const MAXIMUM_ATTESTATION = 98_304;
/** The largest body of /purchase. A transaction has about 6 KB. */
export const MAXIMUM_PURCHASE = 32_768;
/** The largest body of /notifications. The notifications of the App Store have up to 20 KB. */
export const MAXIMUM_NOTIFICATION = 65_536;

/** Returns the bearer token (RFC 6750 §2.1), or undefined. */
export const bearerOf = ({ headers }) => /^Bearer +(.*)$/i.exec(headers.get("authorization") ?? "")?.[1];

/** The request target, as in the URL Standard: without dot segments. A client signs this form. */
export const targetOf = ({ url }) => /^[^/]*\/\/[^/?#]*([^#]*)/.exec(url)[1];

export function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((count, part) => count + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Returns the bytes of a request or a response; undefined if there are more than `maximum`. */
export async function readUpTo({ body }, maximum) {
  const reader = body?.getReader();
  const chunks = [];
  let count = 0;
  for (let part; reader && !(part = await reader.read()).done; chunks.push(part.value)) {
    count += part.value.length;
    // If a chunk has no length, the count becomes NaN. This comparison then fails, so the body is too large.
    if (count <= maximum) continue;
    await reader.cancel();
    return undefined;
  }
  return concatenate(chunks);
}

/** Returns the bytes of a request's body; undefined if there are more than `maximum`. */
export async function bodyUpTo(request, maximum) {
  // Content-Length is only a hint, so readUpTo counts the received bytes.
  return Number(request.headers.get("content-length")) > maximum ? undefined : readUpTo(request, maximum);
}

/** RFC 9110 §8.3.1: the type ignores case. RFC 8259 §11: parameters have no meaning. */
export const hasJSONType = ({ headers }) => /^[ \t]*application\/json[ \t]*(?:;|$)/i.test(headers.get("content-type") ?? "");

/** Returns a JSON object of any members, or undefined. */
export function jsonObjectIn(bytes) {
  return parsed(bytes)?.object;
}

/** Returns an object with text members of distinct names, as FlatJSONObject of the service reads it, or undefined. */
export function messageIn(bytes) {
  const { object, text } = parsed(bytes) ?? {};
  if (!object) return undefined;
  const values = Object.values(object);
  // If two members have the same name, JSON.parse keeps only one. The text then contains more strings than the object
  // has names and values.
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return values.every((value) => typeof value === "string") && strings.length === 2 * values.length ? object : undefined;
}

export function hasMembers(message, names) {
  return Object.keys(message).length === names.length && names.every((name) => Object.hasOwn(message, name));
}

function parsed(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const object = JSON.parse(text);
    return typeof object === "object" && object !== null && !Array.isArray(object) ? { object, text } : undefined;
  } catch {
    // The body is not UTF-8, or not JSON.
    return undefined;
  }
}
