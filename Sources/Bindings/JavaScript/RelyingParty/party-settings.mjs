/** Checks the options of a relying party, and writes them for its module (Settings.swift). Converts no value. */

import { INPUT_LIMITS, copyOf, listOf, membersOf, secondsOf, textOf, wholeNumber } from "../Verifier/arguments.mjs";
import {
  ANSWER_POLICIES, BUDGET_HOLDERS, MAXIMUM_BUDGET_DAYS, MAXIMUM_CHALLENGE_LIFETIME, MAXIMUM_SESSION_LIFETIME, RATES, SESSION_USES,
} from "../Generated/server-facts.mjs";

const SETTINGS = [
  "sessionKeys", "challengeLifetime", "sessionLifetime", "sessionUse", "maximumClientData", "maximumAttempts", "verifiesFirstReceipt",
  "answerPolicy", "budget", "enrolment", "rates",
];
export const OPTIONS = ["store", "limits", "clock", ...SETTINGS];

const UINT32 = 0xffff_ffff;

export function settingsOf(options) {
  return [
    ...keysOf(options.sessionKeys),
    ...number(options, "challengeLifetime", 1, MAXIMUM_CHALLENGE_LIFETIME),
    ...number(options, "sessionLifetime", 1, MAXIMUM_SESSION_LIFETIME),
    ...number(options, "maximumClientData", 0, INPUT_LIMITS.clientData),
    ...number(options, "maximumAttempts", 1, 1_000),
    ...choice(options, "sessionUse", SESSION_USES),
    ...choice(options, "answerPolicy", ANSWER_POLICIES),
    ...flag(options, "verifiesFirstReceipt"),
    ...budgetOf(options.budget),
    ...enrolmentOf(options.enrolment),
    ...ratesOf(options.rates),
  ];
}

export function indexOf(names, name, option) {
  const index = names.indexOf(name);
  if (index < 0) throw new TypeError(`${option}: one of ${names.join(", ")}`);
  return index;
}

function keysOf(sessionKeys) {
  const ids = new Set();
  return listOf(sessionKeys ?? [], "sessionKeys").flatMap((key) => {
    const { id, secret } = membersOf(key, "sessionKeys", ["id", "secret"]);
    if (typeof id !== "string" || !/^[\w.-]{1,64}$/.test(id)) {
      throw new TypeError("sessionKeys: an id of 1 to 64 characters A-Z a-z 0-9 - _ .");
    }
    if (ids.has(id)) throw new TypeError(`sessionKeys: two keys with the id ${id}`);
    ids.add(id);
    const bytes = copyOf(secret, "secret");
    if (bytes.length < 32 || bytes.length > INPUT_LIMITS.option) throw new TypeError("sessionKeys: a secret of 32 to 1,024 bytes");
    return ["sessionKey", id, bytes];
  });
}

export function number(options, name, minimum, maximum) {
  return options[name] === undefined ? [] : [name, wholeNumber(options[name], name, minimum, maximum)];
}

function choice(options, name, names) {
  return options[name] === undefined ? [] : [name, indexOf(names, options[name], name)];
}

function flag(options, name) {
  const value = options[name];
  if (value === undefined) return [];
  if (typeof value !== "boolean") throw new TypeError(`${name}: true or false`);
  return [name, value ? 1 : 0];
}

function budgetOf(budget) {
  if (budget === undefined) return [];
  const { per = "key" } = membersOf(budget, "budget", ["days", "requests", "units", "per"]);
  return ["budget", ...amountsOf(budget, "budget"), indexOf(BUDGET_HOLDERS, per, "budget.per")];
}

/** Returns the period and the amounts of a budget. */
export function amountsOf({ days, requests, units }, option) {
  const amount = (name, value) => wholeNumber(value, `${option}.${name}`, 0, Number.MAX_SAFE_INTEGER);
  return [wholeNumber(days, `${option}.days`, 1, MAXIMUM_BUDGET_DAYS), amount("requests", requests), amount("units", units)];
}

function enrolmentOf(enrolment) {
  const { perThousand, from, until, name, keysPerSecond } = membersOf(
    enrolment, "enrolment", ["perThousand", "from", "until", "name", "keysPerSecond"]);
  if ((from === undefined) !== (until === undefined)) throw new TypeError("enrolment: from and until");
  if (perThousand !== undefined && from !== undefined) throw new TypeError("enrolment: perThousand, or from and until");
  const values = [];
  if (perThousand !== undefined) values.push("share", wholeNumber(perThousand, "enrolment.perThousand", 0, 1_000));
  if (from !== undefined) {
    const [start, end] = [Number(secondsOf(from, "enrolment.from")), Number(secondsOf(until, "enrolment.until"))];
    if (start >= end) throw new TypeError("enrolment: from before until");
    values.push("gradual", start, end);
  }
  if (name !== undefined) values.push("rolloutName", textOf(name, "enrolment.name"));
  if (keysPerSecond === null) values.push("keysPerSecond", null);
  else if (keysPerSecond !== undefined) values.push("keysPerSecond", wholeNumber(keysPerSecond, "enrolment.keysPerSecond", 1, UINT32));
  return values;
}

function ratesOf(rates) {
  return Object.entries(membersOf(rates, "rates", Object.keys(RATES))).flatMap(([limit, rate]) => {
    if (rate === undefined) return [];
    if (rate === null) return ["limit", limit, null, null];
    const { burst, perMinute } = membersOf(rate, `rates.${limit}`, ["burst", "perMinute"]);
    return [
      "limit", limit, wholeNumber(burst, `rates.${limit}.burst`, 1, UINT32), wholeNumber(perMinute, `rates.${limit}.perMinute`, 1, UINT32),
    ];
  });
}
