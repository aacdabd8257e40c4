/**
 * Session keys: SessionKeys and SessionAudience of PureAttestServer, with the same derivations, so both can share a
 * SESSION_KEY.
 */

import { decode, encodeURL } from "./base64.mjs";

/** The codes of environments in key records. */
export const ENVIRONMENTS = { production: 1, development: 2 };
const utf8 = (text) => new TextEncoder().encode(text);

export function concatenate(...parts) {
  const whole = new Uint8Array(parts.reduce((count, part) => count + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", concatenate(...parts)));
}

const hmacKey = (secret) => crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);

export async function hmac(key, ...parts) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, concatenate(...parts)));
}

/**
 * Returns the current key, SESSION_KEY with the name SESSION_KEY_ID, and any former key, FORMER_SESSION_KEY and
 * FORMER_SESSION_KEY_ID. The former key verifies until its last token has expired.
 */
export async function sessionKeys(env, audience) {
  const keys = [await sessionKey(env.SESSION_KEY_ID, env.SESSION_KEY, audience)];
  if (env.FORMER_SESSION_KEY !== undefined) {
    keys.push(await sessionKey(env.FORMER_SESSION_KEY_ID, env.FORMER_SESSION_KEY, audience));
  }
  return keys;
}

async function sessionKey(id, text, audience) {
  if (typeof id !== "string" || !/^[\w.-]{1,64}$/.test(id)) throw new TypeError("SESSION_KEY_ID: 1 to 64 of A-Z a-z 0-9 - _ .");
  const secret = decode(text);
  if (!secret || secret.length < 32) throw new TypeError("SESSION_KEY: 32 bytes or more in base64");
  const attested = await hmacKey(secret);
  const unattested = await hmacKey(await hmac(attested, utf8("PureAttest unattested tier")));
  const challenges = await hmacKey(await hmac(attested, utf8("PureAttest challenges")));
  return {
    header: encodeURL(utf8(`{"alg":"HS256","kid":"${id}","typ":"JWT"}`)),
    attested,
    unattested,
    challenges: await hmacKey(await hmac(challenges, audience.service)),
  };
}

/**
 * Returns the audience of tokens and challenges: `apps`, the SHA-256 of each App ID, and `service`, all of them in this
 * environment.
 */
export async function audienceOf({ appIDs, environment }) {
  const apps = new Map();
  for (const appID of appIDs) {
    const hash = await sha256(utf8(appID));
    apps.set(encodeURL(hash), hash);
  }
  const inOrder = [...apps.values()].sort((a, b) => {
    const index = a.findIndex((byte, at) => byte !== b[at]);
    return index < 0 ? 0 : a[index] - b[index];
  });
  const service = await sha256(utf8("PureAttest unattested audience"), Uint8Array.of(ENVIRONMENTS[environment]), ...inOrder);
  return { apps, service, environment };
}

/** Compares two byte arrays in constant time. Either may be null. */
export function areEqual(a, b) {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.reduce((difference, byte, index) => difference | (byte ^ b[index]), 0) === 0;
}
