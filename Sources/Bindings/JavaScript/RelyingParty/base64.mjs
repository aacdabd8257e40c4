/** Base64 (RFC 4648 §4, §5). In each alphabet, exactly one encoding of a value is accepted, with or without padding. */

export function encode(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

export function encodeURL(bytes) {
  return encode(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes either alphabet; undefined if the text is neither. */
export function decode(text) {
  if (typeof text !== "string" || !/^(?:[A-Za-z0-9+/]*|[\w-]*)={0,2}$/.test(text)) return undefined;
  const unpadded = text.replace(/=+$/, "");
  if (unpadded.length % 4 === 1 || (unpadded !== text && text.length % 4 !== 0)) return undefined;
  const standard = unpadded.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
  // The unused bits after the last byte must be zero (§3.5). Only the last group can have unused bits.
  const last = bytes.length - (bytes.length % 3);
  return encode(bytes.subarray(last)).replace(/=+$/, "") === standard.slice((last / 3) * 4) ? bytes : undefined;
}
