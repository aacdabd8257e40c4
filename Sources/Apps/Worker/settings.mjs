/** The Worker's settings, which wrangler.toml describes. All are checked before the first request changes anything. */

import { decode } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { isWhole, secondsOf } from "../../Bindings/JavaScript/Verifier/arguments.mjs";
import { RelyingParty } from "../../Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { D1Store } from "../../Bindings/JavaScript/RelyingParty/stores.mjs";
import {
  BUDGET_HOLDERS, MAXIMUM_BUDGET_DAYS, MAXIMUM_CHALLENGE_LIFETIME, MAXIMUM_SESSION_LIFETIME,
} from "../../Bindings/JavaScript/Generated/server-facts.mjs";
import { generationOf } from "./generate.mjs";
import { ratesOf } from "./limits.mjs";
import { purchaseOptions } from "./purchases.mjs";
import { receiptQueries } from "./receipts.mjs";
import { Misconfiguration } from "./refusal.mjs";
import { checkSchema } from "./schema.mjs";

const MINIMUM_TOKEN = 16;
/** The platform limits the database queries of one request. The Swift server makes up to 64 attempts. */
const MAXIMUM_ATTEMPTS = 16;

/**
 * Prepares the objects that all requests share, for `reusing`. Throws a `Misconfiguration` if a setting is invalid, but
 * not if the database fails.
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

/** Prepares the scheduled cleaning. It needs no verifier, so it runs even if the verifier cannot be created. */
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
    challengeLifetime: number(env, "CHALLENGE_SECONDS", 1, MAXIMUM_CHALLENGE_LIFETIME) ?? 60,
    sessionLifetime: number(env, "SESSION_SECONDS", 1, MAXIMUM_SESSION_LIFETIME) ?? 900,
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
 * Returns the current key, SESSION_KEY with the name SESSION_KEY_ID. Also returns the former key, FORMER_SESSION_KEY
 * with the name FORMER_SESSION_KEY_ID, if it is set. The former key verifies its tokens until the last one has expired.
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

/**
 * Parses the setting BUDGET. Amounts are at most 2⁵³ − 1, so that the sum of two amounts never exceeds SQLite's 64
 * bits.
 */
export function budgetOf(option) {
  if (option === undefined) return undefined;
  const { days, requests, units, per = "key", ...others } = option ?? {};
  if (!isWhole(days, 1, MAXIMUM_BUDGET_DAYS) || ![requests, units].every((value) => isWhole(value, 0, Number.MAX_SAFE_INTEGER))
    || !BUDGET_HOLDERS.includes(per) || Object.keys(others).length > 0) {
    throw new TypeError(`BUDGET: days from 1 to ${MAXIMUM_BUDGET_DAYS}, requests and units, per "key" or "account"; no others`);
  }
  return { days, requests, units, per };
}

/**
 * The setting ENROLMENT: `perThousand`, or `from` and `until` in seconds since 1970, with the roll-out's `name`; and
 * `keysPerSecond` for all devices together.
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
  // If the platform has a limiter, its own rate applies, and any number makes the relying party query this limiter.
  return { perThousand, from, until, name, keysPerSecond: keysPerSecond ?? (env.PACE_LIMITER ? 1 : null) };
}

function among(env, name, values) {
  const value = env[name] ?? values[0];
  if (!values.includes(value)) throw new TypeError(`${name}: one of ${values.join(", ")}`);
  return value;
}

/** Returns a number; undefined if it is not set. A setting that was entered by hand is a string. */
function number(env, name, minimum, maximum) {
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
