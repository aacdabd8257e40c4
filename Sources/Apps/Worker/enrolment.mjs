/**
 * Decides when devices may create keys: Enrolment of PureAttestServer, with the same places, so a Worker and a Swift
 * server admit the same accounts.
 */

import { concatenate, sha256 } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

const utf8 = (text) => new TextEncoder().encode(text);
const EVERYONE = { wait: () => null, keysPerSecond: undefined };

/**
 * ENROLMENT of the settings: `perThousand`, or `from` and `until` in seconds since 1970, with the roll-out's `name`;
 * and `keysPerSecond` over all.
 */
export function enrolmentOf(options) {
  if (options === undefined) return EVERYONE;
  const { perThousand, from, until, name = "", keysPerSecond, ...others } = options ?? { none: true };
  const isNumber = (value, maximum) => Number.isSafeInteger(value) && value >= 0 && value <= maximum;
  const isShare = perThousand === undefined || isNumber(perThousand, 1_000);
  const isGradual = (from === undefined && until === undefined)
    || (perThousand === undefined && isNumber(from, 253_402_300_799) && isNumber(until, 253_402_300_799) && from < until);
  const isPaced = keysPerSecond === undefined || (isNumber(keysPerSecond, 10_000) && keysPerSecond > 0);
  if (Object.keys(others).length > 0 || !isShare || !isGradual || !isPaced || typeof name !== "string") {
    throw new TypeError("ENROLMENT: perThousand up to 1000, or from and a later until; name; keysPerSecond from 1 to 10000; no others");
  }
  return { keysPerSecond, wait: async (who, now) => waitOf({ perThousand, from, until }, await placeOf(name, who), now) };
}

/** Returns a number below 2³² that depends only on the names. */
async function placeOf(name, who) {
  const hash = await sha256(concatenate(utf8("PureAttest enrolment cohort"), await sha256(utf8(name)), who));
  return BigInt(new DataView(hash.buffer).getUint32(0));
}

/** Returns null if enrolment is open; otherwise `{seconds}`, undefined if unknown. */
function waitOf({ perThousand, from, until }, place, now) {
  if (perThousand !== undefined) return (place * 1_000n) >> 32n < BigInt(perThousand) ? null : {};
  if (until === undefined || now >= until) return null;
  const turn = from + Number((BigInt(until - from) * place) >> 32n);
  return now >= turn ? null : { seconds: turn - now };
}

/**
 * Throws unless this key may be attested now. Checks the account's limit before the enrolment rate and charges it
 * afterwards, so a request rejected by one limiter does not consume the other's allowance.
 */
export async function admitEnrolment({ env, limits, enrolment, account, clientAddress, now }, keyID) {
  const wait = await enrolment.wait(account ?? keyID, now);
  if (wait) throw new Refusal("enrolmentDeferred", { retryAfter: wait.seconds });
  if (account) {
    await limits.check(env, "REGISTRATIONS", account, now);
  } else if (clientAddress.length > 0) {
    await deferring(limits.admit(env, "ENROLMENTS", clientAddress, now));
  }
  await deferring(limits.admit(env, "PACE", new Uint8Array(), now));
  if (account) await limits.admit(env, "REGISTRATIONS", account, now);
}

/** Turns an exceeded rate into the answer "enrol later". */
async function deferring(admission) {
  try {
    await admission;
  } catch (error) {
    throw error.reason === "rateLimited" ? new Refusal("enrolmentDeferred", { retryAfter: error.retryAfter }) : error;
  }
}
