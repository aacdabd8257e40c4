/**
 * Budgets: the requests and units, such as a language model's tokens, that a key or account may use per period of whole
 * days. A request reserves the most that it may use and settles afterwards; an unsettled reservation stays consumed.
 * Periods are fixed, counted from 1970, so one row and one statement decide. Around a boundary a holder can use twice
 * the allowance. Budget of PureAttestServer, with the same rows.
 */

import { CLOCK_MARGIN } from "./challenge.mjs";
import { ENVIRONMENTS, concatenate } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";
import * as sql from "./statements.mjs";

/** removeBudgets of the article in batches, because D1 limits the work of one statement. */
const REMOVE_PAST = `DELETE FROM budget_periods
WHERE (holder, ends_at) IN (SELECT holder, ends_at FROM budget_periods WHERE ends_at <= ?1 ORDER BY ends_at LIMIT ?2) RETURNING ends_at;`;

const HOLDERS = { key: 1, account: 2 };
const DAY = 86_400;

/**
 * Removes rows of periods that have ended on every clock, and returns their number. An earlier removal would restart
 * a period. Removes rows of all relying parties on the database, whatever their period length.
 */
export async function removePastBudgets(database, now, limit) {
  return (await database.prepare(REMOVE_PAST).bind(now - CLOCK_MARGIN, limit).run()).results.length;
}

export class Budget {
  #days;
  #requests;
  #units;
  #per;

  /** BUDGET of the settings. With `per`: "account", all keys of an account share a budget. */
  constructor({ days, requests, units, per = "key", ...others }) {
    const isWhole = (value, minimum, maximum) => Number.isSafeInteger(value) && value >= minimum && value <= maximum;
    // At most 2⁵³ − 1, so that no sum of two exceeds SQLite's 64 bits.
    if (!isWhole(days, 1, 3_660) || ![requests, units].every((value) => isWhole(value, 0, Number.MAX_SAFE_INTEGER))
      || !Object.hasOwn(HOLDERS, per) || Object.keys(others).length > 0) {
      throw new TypeError('BUDGET: days from 1 to 3660, requests and units, per "key" or "account"; no others');
    }
    this.#days = days;
    this.#requests = requests;
    this.#units = units;
    this.#per = per;
  }

  get units() {
    return this.#units;
  }

  /**
   * Returns the row that counts a request, like BudgetPeriod of PureAttestServer. `holder` names the environment and
   * the period length, so relying parties never share a row. `endsAt` is the first second after the period.
   */
  row({ keyID, account, environment }, now) {
    const isAccount = this.#per === "account" && account !== null;
    const head = Uint8Array.of(isAccount ? HOLDERS.account : HOLDERS.key, ENVIRONMENTS[environment], this.#days >> 8, this.#days & 0xff);
    const length = this.#days * DAY;
    return { holder: concatenate(head, isAccount ? account : keyID), endsAt: now - (now % length) + length };
  }

  /**
   * Takes a request and `units`, or throws a `Refusal`. Only for an authenticated key, because the answer tells its
   * balance. `who`: `{keyID, account, environment}`.
   *
   * @returns {Promise<Reservation>}
   */
  async spend(database, who, units, now) {
    if (!Number.isSafeInteger(units) || units < 0) throw new RangeError("units: a whole number");
    const { holder, endsAt } = this.row(who, now);
    const at = [holder.buffer, endsAt];
    const row = await database.prepare(sql.spendBudget).bind(...at, units, this.#requests, this.#units).first();
    if (row) return new Reservation(database, at, units, this.#left(row, endsAt));
    const left = this.#left((await database.prepare(sql.selectBudget).bind(...at).first()) ?? { requests: 0, units: 0 }, endsAt);
    throw new Refusal("budgetSpent", { retryAfter: Math.max(left.resetsAt - now, 1), told: left });
  }

  #left({ requests, units }, resetsAt) {
    return { requestsLeft: Math.max(this.#requests - requests, 0), unitsLeft: Math.max(this.#units - units, 0), resetsAt };
  }
}

/** The amount that one request took, until it is settled. */
class Reservation {
  #database;
  #at;
  #units;
  #isSettled = false;

  constructor(database, at, units, left) {
    this.#database = database;
    this.#at = at;
    this.#units = units;
    /** `{requestsLeft, unitsLeft, resetsAt}` */
    this.left = left;
  }

  get units() {
    return this.#units;
  }

  /** Settles once, in the reservation's own period. An invalid number of units leaves the reservation unchanged. */
  async settle(used) {
    if (this.#isSettled) throw new Error("this was settled before");
    this.#isSettled = true;
    if (!Number.isSafeInteger(used) || used < 0 || used === this.#units) return;
    await this.#database.prepare(sql.settleBudget).bind(...this.#at, this.#units, used).run();
  }
}
