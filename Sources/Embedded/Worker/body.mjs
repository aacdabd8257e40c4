/** What requests bring: bodies, of which no more is read than the largest has, and what is in them. */

import { decode, encode } from "./base64.mjs";
import { concatenate } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

/** An attestation of 64 KiB in Base64 and what is around it, in bytes. */
export const MAXIMUM_BODY = 98_304;
const MAXIMUM_ACCOUNT = 256;

export async function readBytes(request, maximum) {
  // What the sender says is worth a look, and no more: the bytes that come are counted.
  if (Number(request.headers.get("content-length")) > maximum) throw new Refusal("tooLarge");
  const reader = request.body?.getReader();
  const chunks = [];
  let count = 0;
  for (let part; reader && !(part = await reader.read()).done; chunks.push(part.value)) {
    count += part.value.length;
    if (count <= maximum) continue;
    await reader.cancel();
    throw new Refusal("tooLarge");
  }
  return concatenate(...chunks);
}

/** A JSON object of any members, and its text. */
export function jsonObject(request, bytes) {
  // RFC 9110 §8.3.1: without case; RFC 8259 §11: no parameter says anything.
  if (!/^[ \t]*application\/json[ \t]*(?:;|$)/i.test(request.headers.get("content-type") ?? "")) throw new Refusal("unsupportedMediaType");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const object = JSON.parse(text);
    if (typeof object === "object" && object !== null && !Array.isArray(object)) return { object, text };
  } catch {
    // Neither UTF-8 nor JSON.
  }
  throw new Refusal("malformedRequest", { detail: "body" });
}

/** A message: an object whose members are texts, each with a name of its own, as FlatJSONObject of the service reads it. */
export function message(request, bytes) {
  const { object, text } = jsonObject(request, bytes);
  const values = Object.values(object);
  // Of two members with one name JSON.parse keeps one: then there are more texts than names and values.
  const texts = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  if (values.every((value) => typeof value === "string") && texts.length === 2 * values.length) return object;
  throw new Refusal("malformedRequest", { detail: "body" });
}

/** The body, if it has exactly the members of one of the lists. */
export function membersOf(body, lists) {
  const names = Object.keys(body);
  if (lists.some((list) => list.length === names.length && list.every((name) => Object.hasOwn(body, name)))) return body;
  throw new Refusal("malformedRequest", { detail: "members" });
}

/** AccountID of PureAttestServer: the UTF-8 of a name; null for no account. */
export function accountOf(name) {
  if (name === null) return null;
  // A lone surrogate has no UTF-8: all of them would be one name.
  const bytes = typeof name === "string" && !/\p{Surrogate}/u.test(name) ? new TextEncoder().encode(name) : undefined;
  if (!bytes || bytes.length > MAXIMUM_ACCOUNT) throw new Refusal("malformedRequest", { detail: "account" });
  return bytes;
}

/** The bytes of a member of the body, in either alphabet of Base64. */
export function decoded({ body, entry }, name, count) {
  const bytes = decode(body[name]);
  if (!bytes || (count !== undefined && bytes.length !== count)) throw new Refusal("malformedRequest", { detail: name });
  if (name === "keyID") entry.keyID = encode(bytes);
  return bytes;
}
