/**
 * The network of a client address. Only one address as in RFC 4291 §2.2 is accepted; nothing is dropped from a text.
 */

import { Fault } from "./refusal.mjs";

/** A decimal number up to 255 without leading zeros, which some readers treat as octal. */
const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/**
 * Returns the name that limits count by: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * subscriber has that many (RFC 6177 §2). Empty if the platform names no address.
 *
 * Rejects a zone (RFC 4007 §11): it names a link of its own machine, so no remote client has one.
 */
export function networkOf(address) {
  if (address === null || address === undefined) return "";
  if (typeof address === "string" && IPV4.test(address)) return address;
  const groups = typeof address === "string" ? ipv6(address) : undefined;
  if (!groups) throw Fault.malformed("client address");
  // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]).join(".");
  return `${groups.slice(0, 4).map((group) => group.toString(16)).join(":")}::/64`;
}

/** Returns eight 16-bit numbers. */
function ipv6(text) {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const parts = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (parts.includes(undefined)) return undefined;
  const [head, tail] = parts;
  if (!tail) return head.length === 8 ? head : undefined;
  // "::" represents at least one group.
  const missing = 8 - head.length - tail.length;
  return missing > 0 ? [...head, ...Array(missing).fill(0), ...tail] : undefined;
}

/** Returns the groups between colons, none for an empty text; the last may be an IPv4 address. */
function groupsOf(text, mayEndInIPv4) {
  if (text === "") return [];
  const parts = text.split(":");
  const groups = [];
  for (const [index, part] of parts.entries()) {
    if (mayEndInIPv4 && index === parts.length - 1 && IPV4.test(part)) {
      const [a, b, c, d] = part.split(".").map(Number);
      groups.push(a << 8 | b, c << 8 | d);
    } else {
      if (!/^[0-9A-Fa-f]{1,4}$/.test(part)) return undefined;
      groups.push(parseInt(part, 16));
    }
  }
  return groups.length <= 8 ? groups : undefined;
}
