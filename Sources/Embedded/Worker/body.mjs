/** A request's JSON, of which no more is read than the largest request has. */

import { concatenate } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

/** An attestation of 64 KiB in base64 and what is around it, in bytes. */
export const MAXIMUM_BODY = 100_000;

const malformed = (detail) => new Refusal("malformedRequest", { detail });

export async function readBody(request) {
  // What the sender says is worth a look, and no more: the bytes that come are counted.
  if (Number(request.headers.get("content-length")) > MAXIMUM_BODY) throw malformed("body too large");
  const reader = request.body?.getReader();
  const chunks = [];
  let count = 0;
  for (let part; reader && !(part = await reader.read()).done; chunks.push(part.value)) {
    count += part.value.length;
    if (count <= MAXIMUM_BODY) continue;
    await reader.cancel();
    throw malformed("body too large");
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(concatenate(...chunks)));
  } catch {
    throw malformed("body");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw malformed("body");
  return body;
}
