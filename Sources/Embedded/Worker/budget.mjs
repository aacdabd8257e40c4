/**
 * What a key, or its account, may use of something dear over periods of whole days: requests, and units that a route reports, such as the
 * tokens of a language model. Periods are fixed, counted from 1970 on: one row and one statement decide, and round a boundary twice the
 * allowance can be spent. A request reserves the most that it may use and settles afterwards; what is never settled stays spent. Budget of
 * PureAttestServer, with its rows.
 */

import { CLOCK_MARGIN } from "./challenge.mjs";
import { ENVIRONMENTS, concatenate } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";
import * as sql from "./statements.mjs";

/** As removeBudgets of the article, some at a time: D1 limits what one statement may do. */
const REMOVE_PAST = `DELETE FROM budget_periods
WHERE (holder, ends_at) IN (SELECT holder, ends_at FROM budget_periods WHERE ends_at <= ?1 ORDER BY ends_at LIMIT ?2) RETURNING ends_at;`;

const HOLDERS = { key: 1, account: 2 };
const DAY = 86_400;

/**
 * Removes rows of periods that ended on every clock: how many. An earlier removal would begin a period anew. The rows of all relying parties
 * on the database go, whatever their periods' length.
 */
export async function removePastBudgets(database, now, limit) {
  return (await database.prepare(REMOVE_PAST).bind(now - CLOCK_MARGIN, limit).run()).results.length;
}

export class Budget {
  #days;
  #requests;
  #units;
  #per;

  /** BUDGET of the settings. `per`: "account" counts a key that has an account with the others of that account. */
  constructor({ days, requests, units, per = "key", ...others }) {
    const isWhole = (value, minimum, maximum) => Number.isSafeInteger(value) && value >= minimum && value <= maximum;
    // Up to 2⁵³ − 1, so that no sum of two leaves SQLite's 64 bits.
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
   * The row that counts a request, by BudgetPeriod of PureAttestServer: `holder`, which names the environment and the period's length, so that
   * relying parties never share a row, and `endsAt`, the first second after the period.
   */
  row({ keyID, account, environment }, now) {
    const isAccount = this.#per === "account" && account !== null;
    const head = Uint8Array.of(isAccount ? HOLDERS.account : HOLDERS.key, ENVIRONMENTS[environment], this.#days >> 8, this.#days & 0xff);
    const length = this.#days * DAY;
    return { holder: concatenate(head, isAccount ? account : keyID), endsAt: now - (now % length) + length };
  }

  /**
   * Takes a request and `units`, or throws a `Refusal`. For a key that has shown itself: the answer says what is left to it. `who`:
   * `{keyID, account, environment}`.
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

/** What one request took, until it says what it used. */
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

  /** Once; in the period of the reservation, whichever it is now. What is no number of units leaves it as it is. */
  async settle(used) {
    if (this.#isSettled) throw new Error("this was settled before");
    this.#isSettled = true;
    if (!Number.isSafeInteger(used) || used < 0 || used === this.#units) return;
    await this.#database.prepare(sql.settleBudget).bind(...this.#at, this.#units, used).run();
  }
}
