/** The Worker's settings, all checked before the first request changes anything. wrangler.toml describes each. */

import { decode } from "../../Bindings/JavaScript/base64.mjs";
import { secondsOf } from "../../Bindings/JavaScript/arguments.mjs";
import { RelyingParty } from "../../Bindings/JavaScript/relying-party.mjs";
import { D1Store } from "../../Bindings/JavaScript/stores.mjs";
import { generationOf } from "./generate.mjs";
import { ratesOf } from "./limits.mjs";
import { purchaseOptions } from "./purchases.mjs";
import { receiptQueries } from "./receipts.mjs";
import { Misconfiguration } from "./refusal.mjs";
import { checkSchema } from "./schema.mjs";

const MINIMUM_TOKEN = 16;
/** Bounds the database queries of one request, which the platform limits. The Swift server tries 64 times. */
const MAXIMUM_ATTEMPTS = 16;

/**
 * Returns what all requests need, for `reusing`. Throws a `Misconfiguration` for an invalid setting, but not for a failing database.
 */
export async function prepare(makers, env) {
  const prepared = await configured(() => read(makers, env));
  await checkSchema(env.DB);
  return prepared;
}

export function timeOf(clock) {
  try {
    return Number(secondsOf(clock(), "clock"));
  } catch (error) {
    throw new Misconfiguration(error.message);
  }
}

/** Returns what the schedule needs, without a verifier, so the schedule cannot fail for one. */
export const prepareCleaning = (env) => configured(async () => cleaning(env));

async function configured(body) {
  try {
    return await body();
  } catch (error) {
    throw new Misconfiguration(error.message);
  }
}

async function read({ makeVerifier, makePurchases }, env) {
  const { rates, budget, enrolment } = cleaning(env);
  const settings = {
    sessionKeys: sessionKeys(env),
    answerPolicy: among(env, "ANSWERS", ["precise", "uniform"]),
    sessionUse: among(env, "SESSION_USE", ["untilRevoked", "untilExpiry", "once"]),
    challengeLifetime: number(env, "CHALLENGE_SECONDS", 1, 300) ?? 60,
    sessionLifetime: number(env, "SESSION_SECONDS", 1, 86_400) ?? 900,
    maximumAttempts: MAXIMUM_ATTEMPTS,
    verifiesFirstReceipt: true,
    rates, budget, enrolment,
  };
  const [operatorToken, generation] = [operatorTokenOf(env.OPERATOR_TOKEN), generationOf(env, budget)];
  const offered = purchaseOptions(env, budget);
  if (offered && !makePurchases) throw new TypeError('PURCHASES: needs main = "purchases-worker.mjs" in wrangler.toml');
  const store = new D1Store(env.DB);
  const verifier = await makeVerifier(env);
  const party = new RelyingParty(verifier, { store, ...settings });
  const purchases = offered && (await makePurchases({ ...offered, maximumAttempts: MAXIMUM_ATTEMPTS, store }));
  const { secret } = settings.sessionKeys[0];
  const options = { secret, operatorToken, generation, health: {}, receiptQueries: await receiptQueries(env, verifier) };
  return { party, purchases, ...options, get isBroken() { return party.isBroken || purchases?.isBroken === true; } };
}

function cleaning(env) {
  if (!env.DB) throw new TypeError("DB: a D1 database");
  return { rates: ratesOf(env.LIMITS), budget: budgetOf(env.BUDGET), enrolment: enrolmentOf(env) };
}

/**
 * Returns the current key, SESSION_KEY with the name SESSION_KEY_ID, and any former key, FORMER_SESSION_KEY and
 * FORMER_SESSION_KEY_ID. The former key verifies until its last token has expired.
 */
export function sessionKeys(env) {
  const pairs = [[env.SESSION_KEY_ID, env.SESSION_KEY]];
  if (env.FORMER_SESSION_KEY !== undefined) pairs.push([env.FORMER_SESSION_KEY_ID, env.FORMER_SESSION_KEY]);
  return pairs.map(([id, text]) => {
    if (typeof id !== "string" || !/^[\w.-]{1,64}$/.test(id)) throw new TypeError("SESSION_KEY_ID: 1 to 64 of A-Z a-z 0-9 - _ .");
    const secret = decode(text);
    if (!secret || secret.length < 32) throw new TypeError("SESSION_KEY: 32 bytes or more in base64");
    return { id, secret };
  });
}

const isWhole = (value, minimum, maximum) => Number.isSafeInteger(value) && value >= minimum && value <= maximum;

/** BUDGET of the settings. Amounts are at most 2⁵³ − 1, so that no sum of two exceeds SQLite's 64 bits. */
export function budgetOf(option) {
  if (option === undefined) return undefined;
  const { days, requests, units, per = "key", ...others } = option ?? {};
  if (!isWhole(days, 1, 3_660) || ![requests, units].every((value) => isWhole(value, 0, Number.MAX_SAFE_INTEGER))
    || !["key", "account"].includes(per) || Object.keys(others).length > 0) {
    throw new TypeError('BUDGET: days from 1 to 3660, requests and units, per "key" or "account"; no others');
  }
  return { days, requests, units, per };
}

/**
 * ENROLMENT of the settings: `perThousand`, or `from` and `until` in seconds since 1970, with the roll-out's `name`;
 * and `keysPerSecond` over all.
 */
function enrolmentOf(env) {
  const { perThousand, from, until, name, keysPerSecond, ...others } = env.ENROLMENT === undefined ? {} : env.ENROLMENT ?? { none: true };
  const isShare = perThousand === undefined || isWhole(perThousand, 0, 1_000);
  const isGradual = (from === undefined && until === undefined)
    || (perThousand === undefined && isWhole(from, 0, 253_402_300_799) && isWhole(until, 0, 253_402_300_799) && from < until);
  const isPaced = keysPerSecond === undefined || isWhole(keysPerSecond, 1, 10_000);
  if (Object.keys(others).length > 0 || !isShare || !isGradual || !isPaced || typeof (name ?? "") !== "string") {
    throw new TypeError("ENROLMENT: perThousand up to 1000, or from and a later until; name; keysPerSecond from 1 to 10000; no others");
  }
  // The platform's limiter has its own rate. Any number here only makes the relying party query that limiter.
  return { perThousand, from, until, name, keysPerSecond: keysPerSecond ?? (env.PACE_LIMITER ? 1 : null) };
}

function among(env, name, values) {
  const value = env[name] ?? values[0];
  if (!values.includes(value)) throw new TypeError(`${name}: one of ${values.join(", ")}`);
  return value;
}

/** Returns a number; undefined if it is not set. Settings entered by hand are texts. */
export function number(env, name, minimum, maximum) {
  const value = env[name];
  if (value === undefined) return undefined;
  const read = typeof value === "string" && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
  if (!isWhole(read, minimum, maximum)) throw new TypeError(`${name}: ${minimum} to ${maximum}`);
  return read;
}

function operatorTokenOf(token) {
  if (token === undefined) return undefined;
  if (typeof token !== "string" || token.length < MINIMUM_TOKEN) throw new TypeError(`OPERATOR_TOKEN: ${MINIMUM_TOKEN} characters or more`);
  return token;
}
