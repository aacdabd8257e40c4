/** Base64 (RFC 4648 §4, §5): what is read has exactly one spelling for each alphabet, with padding or without. */

export function encode(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

export function encodeURL(bytes) {
  return encode(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Either alphabet; undefined if it is neither. */
export function decode(text) {
  if (typeof text !== "string" || !/^(?:[A-Za-z0-9+/]*|[\w-]*)={0,2}$/.test(text)) return undefined;
  const unpadded = text.replace(/=+$/, "");
  if (unpadded.length % 4 === 1 || (unpadded !== text && text.length % 4 !== 0)) return undefined;
  const standard = unpadded.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
  // Bits after the last byte are zero (§3.5). Only the last group has any.
  const last = bytes.length - (bytes.length % 3);
  return encode(bytes.subarray(last)).replace(/=+$/, "") === standard.slice((last / 3) * 4) ? bytes : undefined;
}

/** The URL's alphabet without padding, as tokens have it (RFC 7515 §2). */
export function decodeURL(text) {
  return /^[\w-]*$/.test(text) ? decode(text) : undefined;
}
