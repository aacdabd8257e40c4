/** Reads request bodies up to a limit, and parses their contents. */

import { decode, encode } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { bodyUpTo, hasJSONType, hasMembers, jsonObjectIn, messageIn } from "../../Bindings/JavaScript/RelyingParty/request-body.mjs";
import { isText } from "../../Bindings/JavaScript/Verifier/arguments.mjs";
import { MAXIMUM_BYTES } from "../../Bindings/JavaScript/Generated/server-facts.mjs";
import { Fault } from "./refusal.mjs";

export async function readBytes(request, maximum) {
  const bytes = await bodyUpTo(request, maximum);
  if (!bytes) throw Fault.tooLarge();
  return bytes;
}

/** Parses a JSON object with any members. */
export function jsonObject(request, bytes) {
  return parsed(request, jsonObjectIn(bytes));
}

/** Parses a message whose member names are exactly one of these lists. */
export function message(request, bytes, lists) {
  const body = parsed(request, messageIn(bytes));
  if (!lists.some((names) => hasMembers(body, names))) throw Fault.malformed("members");
  return body;
}

function parsed(request, object) {
  if (!hasJSONType(request)) throw new Fault("unsupportedMediaType", { status: 415 });
  if (!object) throw Fault.malformed("body");
  return object;
}

/** Returns an account's name in UTF-8, which is AccountID of PureAttestServer; null for no account. */
export function accountOf(name) {
  if (name === null) return null;
  const bytes = isText(name) ? new TextEncoder().encode(name) : undefined;
  if (!bytes || bytes.length > MAXIMUM_BYTES.account) throw Fault.malformed("account");
  return bytes;
}

/** Decodes a body member from Base64 or base64url. */
export function decoded({ body, entry }, name, count) {
  const bytes = decode(body[name]);
  if (!bytes || (count !== undefined && bytes.length !== count)) throw Fault.malformed(name);
  if (name === "keyID") entry.keyID = encode(bytes);
  return bytes;
}
