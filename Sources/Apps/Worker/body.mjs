/** Request bodies, read up to a limit, and their contents. */

import { decode, encode } from "./base64.mjs";
import { Fault } from "./refusal.mjs";

/** The size in bytes of an attestation of 64 KiB in Base64 with the rest of its message. */
export const MAXIMUM_BODY = 98_304;
const MAXIMUM_ACCOUNT = 256;

export function concatenate(...parts) {
  const whole = new Uint8Array(parts.reduce((count, part) => count + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export async function readBytes(request, maximum) {
  // Content-Length is only a hint; the received bytes are counted.
  if (Number(request.headers.get("content-length")) > maximum) throw Fault.tooLarge();
  const bytes = await readUpTo(request, maximum);
  if (!bytes) throw Fault.tooLarge();
  return bytes;
}

/** Returns the bytes of a request or response, or undefined if there are more. */
export async function readUpTo({ body }, maximum) {
  const reader = body?.getReader();
  const chunks = [];
  let count = 0;
  for (let part; reader && !(part = await reader.read()).done; chunks.push(part.value)) {
    count += part.value.length;
    if (count <= maximum) continue;
    await reader.cancel();
    return undefined;
  }
  return concatenate(...chunks);
}

/** Returns a JSON object of any members, and its text. */
export function jsonObject(request, bytes) {
  // RFC 9110 §8.3.1: the type ignores case. RFC 8259 §11: parameters have no meaning.
  const isJSON = /^[ \t]*application\/json[ \t]*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
  if (!isJSON) throw new Fault("unsupportedMediaType", { status: 415 });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const object = JSON.parse(text);
    if (typeof object === "object" && object !== null && !Array.isArray(object)) return { object, text };
  } catch {
    // Neither UTF-8 nor JSON.
  }
  throw Fault.malformed("body");
}

/** Returns a message: an object with text members of distinct names, as FlatJSONObject of the service reads it. */
export function message(request, bytes) {
  const { object, text } = jsonObject(request, bytes);
  const values = Object.values(object);
  // JSON.parse keeps one of two members with the same name; the text then has more strings than names and values.
  const texts = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  if (values.every((value) => typeof value === "string") && texts.length === 2 * values.length) return object;
  throw Fault.malformed("body");
}

/** Returns the body if its members are exactly one of the lists. */
export function membersOf(body, lists) {
  const names = Object.keys(body);
  if (lists.some((list) => list.length === names.length && list.every((name) => Object.hasOwn(body, name)))) return body;
  throw Fault.malformed("members");
}

/** Returns AccountID of PureAttestServer: the UTF-8 of a name; null for no account. */
export function accountOf(name) {
  if (name === null) return null;
  // A lone surrogate has no UTF-8; all of them would become one name.
  const bytes = typeof name === "string" && !/\p{Surrogate}/u.test(name) ? new TextEncoder().encode(name) : undefined;
  if (!bytes || bytes.length > MAXIMUM_ACCOUNT) throw Fault.malformed("account");
  return bytes;
}

/** Decodes a body member from either Base64 alphabet. */
export function decoded({ body, entry }, name, count) {
  const bytes = decode(body[name]);
  if (!bytes || (count !== undefined && bytes.length !== count)) throw Fault.malformed(name);
  if (name === "keyID") entry.keyID = encode(bytes);
  return bytes;
}
