/** Parses client addresses like ClientAddress of PureAttestServerCore. The text must be one address (RFC 4291 §2.2). */

/** A decimal number up to 255 without leading zeros, which some readers treat as octal. */
const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** The zone of a link-local address (RFC 4007 §11), as in a socket's peer address. */
const ZONE = /^(fe[89ab][0-9a-f]:.*)%[!-$&-~]+$/i;

/**
 * Returns the name by which limits count an address: all of an IPv4 address, and the first 64 bits of an IPv6 address,
 * because one subscriber has that many (RFC 6177 §2). Undefined if the text is not an address.
 */
export function clientAddressOf(text) {
  if (IPV4.test(text)) return Uint8Array.of(4, ...text.split(".").map(Number));
  const octets = ipv6(ZONE.exec(text)?.[1] ?? text);
  if (!octets) return undefined;
  // Checks for an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
  const isMapped = octets.slice(0, 10).every((octet) => octet === 0) && octets[10] === 0xff && octets[11] === 0xff;
  return isMapped ? Uint8Array.of(4, ...octets.slice(12)) : Uint8Array.of(6, ...octets.slice(0, 8));
}

/** Returns 16 octets, or undefined if the text is not an IPv6 address. */
function ipv6(text) {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const parts = halves.map((half, index) => octetsOf(half, index === halves.length - 1));
  if (parts.includes(undefined)) return undefined;
  const [head, tail] = parts;
  if (!tail) return head.length === 16 ? head : undefined;
  // "::" represents at least one group of zeros.
  const missing = 16 - head.length - tail.length;
  return missing > 0 ? [...head, ...Array(missing).fill(0), ...tail] : undefined;
}

/** Returns the octets of the groups between colons. The last group may be an IPv4 address. An empty text has no octets. */
function octetsOf(text, mayEndInIPv4) {
  if (text === "") return [];
  const parts = text.split(":");
  const octets = [];
  for (const [index, part] of parts.entries()) {
    if (mayEndInIPv4 && index === parts.length - 1 && IPV4.test(part)) {
      octets.push(...part.split(".").map(Number));
    } else {
      if (!/^[0-9A-Fa-f]{1,4}$/.test(part)) return undefined;
      const group = parseInt(part, 16);
      octets.push(group >> 8, group & 0xff);
    }
  }
  return octets;
}
