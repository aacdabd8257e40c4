/**
 * Session tokens: JWTs (RFC 7519) with HS256 and one layout, identical to SessionToken of PureAttestServer byte for
 * byte.
 */

import { decodeURL, encodeURL } from "./base64.mjs";
import { concatenate } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

const MAXIMUM_LENGTH = 2_048;
const utf8 = (text) => new TextEncoder().encode(text);
const CLAIMS = new RegExp(
  '^\\{"sub":"([\\w-]{43})","aud":"([\\w-]{43})","env":"(production|development|unattested)","acc":(null|"[\\w-]*"),'
    + '"cat":(null|0|[1-9]\\d{0,9}),"ver":(null|"[\\w-]*"),"cdh":(null|"[\\w-]+"),"iat":(0|[1-9]\\d{0,14}),"exp":(0|[1-9]\\d{0,14}),'
    + '"jti":"([\\w-]{22})"\\}$');

/** The holder: account, validation category, bundle version and code directory hash, each null if unknown. */
export const NOBODY = { account: null, category: null, version: null, build: null };

export function holderOf(account, { validationCategory, bundleVersion, codeDirectoryHash, codeDirectoryHashType }) {
  const version = bundleVersion === null ? null : utf8(bundleVersion);
  return {
    account,
    category: validationCategory,
    // The module returns the first 64 bytes of a version. A possibly longer or non-UTF-8 version counts as unknown.
    version: version === null || version.length >= 64 || bundleVersion.includes("\ufffd") ? null : version,
    build: codeDirectoryHash && concatenate(Uint8Array.of(codeDirectoryHashType), codeDirectoryHash),
  };
}

export async function signToken(keys, { subject, audience, tier, holder, issuedAt, expiresAt, id }) {
  const text = (bytes) => (bytes === null ? "null" : `"${encodeURL(bytes)}"`);
  const claims = `{"sub":${text(subject)},"aud":${text(audience)},"env":"${tier}","acc":${text(holder.account)},"cat":${holder.category},`
    + `"ver":${text(holder.version)},"cdh":${text(holder.build)},"iat":${issuedAt},"exp":${expiresAt},"jti":${text(id)}}`;
  const content = `${keys[0].header}.${encodeURL(utf8(claims))}`;
  const code = await crypto.subtle.sign("HMAC", keyOf(keys[0], tier), utf8(content));
  return `${content}.${encodeURL(new Uint8Array(code))}`;
}

/** The unattested tier has its own key, so no error with claims can turn such a token into a session. */
const keyOf = (key, tier) => (tier === "unattested" ? key.unattested : key.attested);

/**
 * Returns the claims of a token of these keys for a tier ("attested" or "unattested"). Verifies the code before
 * decoding anything.
 */
export async function readToken(keys, token, tier, now) {
  const invalid = () => new Refusal("invalidToken");
  if (typeof token !== "string" || token.length > MAXIMUM_LENGTH) throw invalid();
  const parts = token.split(".");
  const key = keys.find(({ header }) => header === parts[0]);
  const code = parts.length === 3 ? decodeURL(parts[2]) : undefined;
  if (!key || code?.length !== 32) throw invalid();
  const content = utf8(`${parts[0]}.${parts[1]}`);
  if (!(await crypto.subtle.verify("HMAC", keyOf(key, tier), code, content))) throw invalid();
  const claims = read(decodeURL(parts[1]));
  if (!claims || (claims.tier === "unattested") !== (tier === "unattested")) throw invalid();
  if (now >= claims.expiresAt) throw new Refusal("expiredToken");
  return claims;
}

function read(bytes) {
  const match = bytes && CLAIMS.exec(String.fromCharCode(...bytes));
  if (!match) return undefined;
  const [, sub, aud, tier, acc, cat, ver, cdh, iat, exp, jti] = match;
  const member = (text) => (text === "null" ? null : decodeURL(text.slice(1, -1)));
  const claims = {
    subject: decodeURL(sub), audience: decodeURL(aud), tier,
    holder: { account: member(acc), category: cat === "null" ? null : Number(cat), version: member(ver), build: member(cdh) },
    issuedAt: Number(iat), expiresAt: Number(exp), id: decodeURL(jti),
  };
  const { account, category, version, build } = claims.holder;
  const isWhole = [claims.subject, claims.audience, claims.id, account, version, build].every((part) => part !== undefined);
  return isWhole && (category === null || category < 2 ** 32) ? claims : undefined;
}
