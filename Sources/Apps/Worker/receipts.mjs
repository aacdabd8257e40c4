/**
 * Requests newer receipts from Apple, with their risk metrics: RelyingParty+Receipts and ReceiptRefresh. The schedule
 * calls it.
 */

import { decode, encode, encodeURL } from "./base64.mjs";
import { sha256 } from "./keys.mjs";

/** The largest answer of Apple: a receipt of 64 KiB in Base64 (InputLimits.receiptAnswer). */
const MAXIMUM_ANSWER = (65_536 / 3) * 4 + 1_024;
/** The claim in seconds: ample for one query, and a short delay after a Worker that stopped. */
const CLAIM = 600;
const DAY = 86_400;
/** Only an attestation or assertion of its device brings a key back, which takes time. */
const WEEK = 604_800;
const QUERY_SECONDS = 10;
const ENVIRONMENTS = { 1: "production", 2: "development" };
const HOSTS = { production: "data.appattest.apple.com", development: "data-development.appattest.apple.com" };

/**
 * DEVICECHECK_KEY of the settings, the text of Apple's .p8 file, and DEVICECHECK_KEY_ID; undefined without them.
 * RECEIPTS_URL replaces Apple's address; RECEIPTS_PER_RUN is the number of receipts per run.
 */
export async function receiptQueries(env, { environment }) {
  const { DEVICECHECK_KEY: text, DEVICECHECK_KEY_ID: kid, TEAM_ID: iss, RECEIPTS_URL: address, RECEIPTS_PER_RUN: perRun = 20 } = env;
  if (text === undefined && kid === undefined) return undefined;
  // These characters need no escape.
  for (const [name, value] of Object.entries({ DEVICECHECK_KEY_ID: kid, TEAM_ID: iss })) {
    if (typeof value !== "string" || !/^[A-Za-z0-9]+$/.test(value)) throw new TypeError(`${name}: letters and digits`);
  }
  if (address !== undefined && !(typeof address === "string" && URL.canParse(address))) throw new TypeError("RECEIPTS_URL: an address");
  if (!Number.isSafeInteger(perRun) || perRun < 1 || perRun > 1_000) throw new TypeError("RECEIPTS_PER_RUN: 1 to 1000");
  const key = await importKey(text);
  return { key, kid, iss, perRun, environment, url: address ?? `https://${HOSTS[environment]}/v1/attestationData` };
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

/** Runs once: claims each due receipt, so concurrent runs claim disjoint sets. A claim expires by itself. */
export async function refreshReceipts({ store, verifier, queries, now, log, risk, fetchUpstream }) {
  for (const row of await store.claimDueReceipts(now, now + CLAIM, queries.perRun)) {
    const keyID = await sha256(row.record.slice(34, 99));
    const entry = { route: "scheduled", task: "receipts", keyID: encode(keyID) };
    try {
      log({ ...entry, ...(await refresh({ store, verifier, queries, now, risk, fetchUpstream }, keyID, row)) });
    } catch (error) {
      log({ ...entry, outcome: "failed", reason: String(error.message).slice(0, 500) });
    }
  }
}

async function refresh({ store, verifier, queries, now, risk, fetchUpstream }, keyID, { record, receipt, receiptDueAt }) {
  const keep = (dueAt) => store.replaceReceipt(keyID, receipt, receipt, dueAt);
  if (ENVIRONMENTS[record[1]] !== queries.environment) {
    // Postponed, so that it does not displace others in each run.
    await keep(now + DAY);
    return { outcome: "keyOfOtherEnvironment", askAgainAt: now + DAY };
  }
  const answer = await ask(queries, receipt, now, fetchUpstream);
  switch (answer.status) {
    case 200: break;
    // Requested too early.
    case 304: await keep(now + DAY); return { outcome: "notYetDue", askAgainAt: now + DAY };
    // Apple no longer accepts it: only a new key of the device brings another.
    case 400: await keep(null); return { outcome: "renewalRequired" };
    // The 30 days for which Apple keeps its counts have passed.
    case 404: await keep(now + WEEK); return { outcome: "gone", askAgainAt: now + WEEK };
    default: return { outcome: "due", status: answer.status, askAgainAt: receiptDueAt };
  }
  const newer = answer.body && decode(answer.body.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""));
  if (!newer || newer.length === 0) return { outcome: "due", status: 200, reason: "malformedBody", askAgainAt: receiptDueAt };
  let verified;
  try {
    verified = verifier.verifyReceipt({ receipt: newer, keyRecord: record, now });
  } catch (error) {
    // A trap says nothing about the receipt.
    if (error.name !== "RefusedError") throw error;
    await keep(now + DAY);
    return { outcome: "refused", reason: error.detail ? `${error.code} (${error.detail})` : error.code, askAgainAt: now + DAY };
  }
  await risk({ keyID, ...verified });
  // A receipt without a time is due again a day later. No answer leads to a busy loop.
  const next = Math.max(verified.notBefore ?? now + DAY, now + CLAIM);
  const isStored = await store.replaceReceipt(keyID, receipt, newer, next);
  return { outcome: isStored ? "refreshed" : "replacedMeanwhile", riskMetric: verified.riskMetric, askAgainAt: next };
}

/** Returns `{status, body}`, without a body if it exceeds the longest valid answer. */
async function ask(queries, receipt, now, fetchUpstream) {
  const answer = await fetchUpstream(queries.url, {
    method: "POST", headers: { authorization: await tokenOf(queries, now) }, body: encode(receipt), redirect: "manual",
    signal: AbortSignal.timeout(QUERY_SECONDS * 1_000),
  });
  let [body, count] = ["", 0];
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  for (let part; reader && !(part = await reader.read()).done; body += decoder.decode(part.value, { stream: true })) {
    count += part.value.length;
    if (answer.status === 200 && count <= MAXIMUM_ANSWER) continue;
    await reader.cancel();
    return { status: answer.status };
  }
  return { status: answer.status, body };
}
