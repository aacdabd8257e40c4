/** Requests newer receipts, with their risk metrics, from Apple. The cron trigger starts these requests. */

import { decode, encode, encodeURL } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { isWhole } from "../../Bindings/JavaScript/Verifier/arguments.mjs";
import { RECEIPT_CLAIM } from "../../Bindings/JavaScript/Generated/server-facts.mjs";
import { Refusal } from "../../Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { readUpTo } from "../../Bindings/JavaScript/RelyingParty/request-body.mjs";

/** The largest answer of Apple in bytes: a receipt of 64 KiB in Base64 (InputLimits.receiptAnswer). */
const MAXIMUM_ANSWER = (65_536 / 3) * 4 + 1_024;
const QUERY_SECONDS = 10;
/** The queries of a run follow each other, and must end before its claims expire. */
const MAXIMUM_PER_RUN = RECEIPT_CLAIM / QUERY_SECONDS;
const HOSTS = { production: "data.appattest.apple.com", development: "data-development.appattest.apple.com" };

/**
 * Parses the settings DEVICECHECK_KEY (the text of Apple's .p8 file) and DEVICECHECK_KEY_ID; returns undefined if they
 * are not set. RECEIPTS_URL replaces Apple's address; RECEIPTS_PER_RUN is the number of receipts per run.
 */
export async function receiptQueries(env, { environment }) {
  const { DEVICECHECK_KEY: text, DEVICECHECK_KEY_ID: kid, TEAM_ID: iss, RECEIPTS_URL: address, RECEIPTS_PER_RUN: perRun = 20 } = env;
  if (text === undefined && kid === undefined) return undefined;
  // Letters and digits need no escaping in the token's JSON.
  for (const [name, value] of Object.entries({ DEVICECHECK_KEY_ID: kid, TEAM_ID: iss })) {
    if (typeof value !== "string" || !/^[A-Za-z0-9]+$/.test(value)) throw new TypeError(`${name}: letters and digits`);
  }
  if (address !== undefined && !(typeof address === "string" && URL.canParse(address))) throw new TypeError("RECEIPTS_URL: an address");
  if (!isWhole(perRun, 1, MAXIMUM_PER_RUN)) throw new TypeError(`RECEIPTS_PER_RUN: 1 to ${MAXIMUM_PER_RUN}`);
  const key = await importKey(text);
  return { key, kid, iss, perRun, url: address ?? `https://${HOSTS[environment]}/v1/attestationData` };
}

async function importKey(text) {
  const body = /^\s*-----BEGIN PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END PRIVATE KEY-----\s*$/.exec(text ?? "")?.[1];
  const bytes = body && decode(body.replace(/\s/g, ""));
  try {
    return await crypto.subtle.importKey("pkcs8", bytes, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  } catch {
    throw new TypeError("DEVICECHECK_KEY: the text of the .p8 file, a key of P-256");
  }
}

/** Returns the value of `Authorization` (RFC 7515, ES256), without "Bearer". */
async function tokenOf({ key, kid, iss }, now) {
  const utf8 = (text) => new TextEncoder().encode(text);
  const content = [`{"alg":"ES256","kid":"${kid}","typ":"JWT"}`, `{"iss":"${iss}","iat":${now}}`].map((part) => encodeURL(utf8(part))).join(".");
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, utf8(content));
  return `${content}.${encodeURL(new Uint8Array(signature))}`;
}

/** Claims due receipts and requests newer ones. Concurrent runs claim disjoint sets, and a claim expires by itself. */
export async function refreshReceipts({ party, queries, now, log, risk, fetchUpstream }) {
  for (const due of await party.claimDueReceipts(queries.perRun)) {
    const entry = { route: "scheduled", task: "receipts", keyID: encode(due.keyID) };
    try {
      log({ ...entry, ...(await refresh({ party, queries, now, risk, fetchUpstream }, due)) });
    } catch (error) {
      log({ ...entry, outcome: error instanceof Refusal ? "refused" : "failed", reason: String(error.message).slice(0, 500) });
    }
  }
}

async function refresh({ party, queries, now, risk, fetchUpstream }, due) {
  const answer = await ask(queries, due.receipt, now, fetchUpstream);
  let newer;
  const { state, askAgainAt } = await party.storeReceiptAnswer(due, answer, {
    risk: async (receipt) => {
      newer = receipt;
      await risk({ keyID: due.keyID, ...receipt });
    },
  });
  return { outcome: newer ? "refreshed" : state, status: answer.status, ...(newer && { riskMetric: newer.riskMetric }), askAgainAt };
}

/**
 * Returns `{status, body}`. If the answer is longer than any valid answer, the body is empty, and therefore malformed.
 */
async function ask(queries, receipt, now, fetchUpstream) {
  const answer = await fetchUpstream(queries.url, {
    method: "POST", headers: { authorization: await tokenOf(queries, now) }, body: encode(receipt), redirect: "manual",
    signal: AbortSignal.timeout(QUERY_SECONDS * 1_000),
  });
  const body = await readUpTo(answer, answer.status === 200 ? MAXIMUM_ANSWER : 0);
  return { status: answer.status, body: body ?? new Uint8Array() };
}
