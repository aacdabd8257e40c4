/** Session tokens: JWTs (RFC 7519) with HS256 and one layout, byte for byte that of SessionToken of PureAttestServer. */

import { decodeURL, encodeURL } from "./base64.mjs";
import { concatenate } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

const MAXIMUM_LENGTH = 2_048;
const utf8 = (text) => new TextEncoder().encode(text);
const CLAIMS = new RegExp(
  '^\\{"sub":"([\\w-]{43})","aud":"([\\w-]{43})","env":"(production|development|unattested)","acc":(null|"[\\w-]*"),'
    + '"cat":(null|0|[1-9]\\d{0,9}),"ver":(null|"[\\w-]*"),"cdh":(null|"[\\w-]+"),"iat":(0|[1-9]\\d{0,14}),"exp":(0|[1-9]\\d{0,14}),'
    + '"jti":"([\\w-]{22})"\\}$');

/** Who holds it: account, validation category, bundle version and code directory hash, each null where it is not known. */
export const NOBODY = { account: null, category: null, version: null, build: null };

export function holderOf(account, { validationCategory, bundleVersion, codeDirectoryHash, codeDirectoryHashType }) {
  const version = bundleVersion === null ? null : utf8(bundleVersion);
  return {
    account,
    category: validationCategory,
    // The module hands out the first 64 bytes of a version: one that may be longer, or is no UTF-8, is not known whole.
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

/** A key of its own for the unattested tier: no mistake with claims turns such a token into another. */
const keyOf = (key, tier) => (tier === "unattested" ? key.unattested : key.attested);

/** The claims of a token of these keys for a tier ("attested" or "unattested"). The code is verified before anything is decoded. */
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
