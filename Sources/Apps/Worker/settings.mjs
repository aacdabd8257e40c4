/** The Worker's settings, all checked before the first request changes anything. wrangler.toml describes each. */

import { secondsOf } from "../../Bindings/JavaScript/pure-attest.mjs";
import { decode } from "./base64.mjs";
import { Budget } from "./budget.mjs";
import { DeniedTokens } from "./denied.mjs";
import { enrolmentOf } from "./enrolment.mjs";
import { generationOf } from "./generate.mjs";
import { audienceOf, sessionKeys } from "./keys.mjs";
import { Limits } from "./limits.mjs";
import { receiptQueries } from "./receipts.mjs";
import { Misconfiguration } from "./refusal.mjs";
import { checkSchema } from "./schema.mjs";

/** The decoy key: P-256's base point (SP 800-186 §3.2.1.3), which is no device's key. */
const BASE_POINT = "BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=";
const MINIMUM_TOKEN = 16;

/**
 * Returns what all requests need. Throws a `Misconfiguration` for an invalid setting, but not for a failing database.
 */
export async function prepare(makeVerifier, env) {
  const prepared = await configured(() => read(makeVerifier, env));
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
export const prepareCleaning = (env) => configured(async () => ({ ...cleaning(env) }));

async function configured(body) {
  try {
    return await body();
  } catch (error) {
    throw new Misconfiguration(error.message);
  }
}

async function read(makeVerifier, env) {
  const answers = among(env, "ANSWERS", ["precise", "uniform"]);
  const settings = {
    ...cleaning(env),
    answers,
    sessionUse: among(env, "SESSION_USE", ["untilRevoked", "untilExpiry", "once"]),
    challengeLifetime: number(env, "CHALLENGE_SECONDS", 1, 300) ?? 60,
    sessionLifetime: number(env, "SESSION_SECONDS", 1, 86_400) ?? 900,
    operatorToken: operatorToken(env.OPERATOR_TOKEN),
  };
  settings.generation = generationOf(env, settings.budget);
  const verifier = await makeVerifier(env);
  const audience = await audienceOf(verifier);
  const keys = await sessionKeys(env, audience);
  const decoyKey = answers === "uniform" ? verifier.importKey({ publicKey: decode(BASE_POINT), counter: 0 }).keyRecord : null;
  // This isolate's memory.
  const memory = { denied: new DeniedTokens(), health: {} };
  return { ...settings, ...memory, verifier, audience, keys, decoyKey, receiptQueries: await receiptQueries(env, verifier) };
}

function cleaning(env) {
  if (!env.DB) throw new TypeError("DB: a D1 database");
  const enrolment = enrolmentOf(env.ENROLMENT);
  return { enrolment, limits: new Limits(env.LIMITS, enrolment.keysPerSecond), budget: env.BUDGET && new Budget(env.BUDGET) };
}

function among(env, name, values) {
  const value = env[name] ?? values[0];
  if (!values.includes(value)) throw new TypeError(`${name}: one of ${values.join(", ")}`);
  return value;
}

/** Returns a number, undefined if it is not set. Settings made by hand are texts. */
export function number(env, name, minimum, maximum) {
  const value = env[name];
  if (value === undefined) return undefined;
  const read = typeof value === "string" && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(read) || read < minimum || read > maximum) throw new TypeError(`${name}: ${minimum} to ${maximum}`);
  return read;
}

function operatorToken(token) {
  if (token === undefined) return undefined;
  if (typeof token !== "string" || token.length < MINIMUM_TOKEN) throw new TypeError(`OPERATOR_TOKEN: ${MINIMUM_TOKEN} characters or more`);
  return token;
}
