/**
 * What a key, or its account, may use of something dear over periods of whole days: requests, and units that a route reports, such as the
 * tokens of a language model. Periods are fixed, counted from 1970 on: one row and one statement decide, and round a boundary twice the
 * allowance can be spent. A request reserves the most that it may use and settles afterwards; what is never settled stays spent. Budget of
 * PureAttestServer, with its rows.
 */

import { CLOCK_MARGIN } from "./challenge.mjs";
import { Refusal } from "./refusal.mjs";
import * as sql from "./statements.mjs";

/** As removeBudgets of the article, some at a time: D1 limits what one statement may do. */
const REMOVE_PAST = `DELETE FROM budgets
WHERE (holder, period) IN (SELECT holder, period FROM budgets WHERE period < ?1 ORDER BY period LIMIT ?2) RETURNING period;`;

const HOLDERS = { key: 1, account: 2 };

export class Budget {
  #seconds;
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
    this.#seconds = days * 86_400;
    this.#requests = requests;
    this.#units = units;
    this.#per = per;
  }

  get units() {
    return this.#units;
  }

  #periodAt(now) {
    return Math.floor(now / this.#seconds);
  }

  #holder(keyID, account) {
    return this.#per === "account" && account !== null
      ? Uint8Array.of(HOLDERS.account, ...account) : Uint8Array.of(HOLDERS.key, ...keyID);
  }

  /**
   * Takes a request and `units`, or throws a `Refusal`. For a key that has shown itself: the answer says what is left to it.
   *
   * @returns {Promise<Reservation>}
   */
  async spend(database, { keyID, account }, units, now) {
    if (!Number.isSafeInteger(units) || units < 0) throw new RangeError("units: a whole number");
    const period = this.#periodAt(now);
    const at = [this.#holder(keyID, account).buffer, period];
    const row = await database.prepare(sql.spendBudget).bind(...at, units, this.#requests, this.#units).first();
    if (row) return new Reservation(database, at, units, this.#left(row, period));
    const left = this.#left((await database.prepare(sql.selectBudget).bind(...at).first()) ?? { requests: 0, units: 0 }, period);
    throw new Refusal("budgetSpent", { retryAfter: Math.max(left.resetsAt - now, 1), told: left });
  }

  #left({ requests, units }, period) {
    return {
      requestsLeft: Math.max(this.#requests - requests, 0), unitsLeft: Math.max(this.#units - units, 0),
      resetsAt: (period + 1) * this.#seconds,
    };
  }

  /** Removes rows of periods that no clock takes for the current one any more, which would begin it anew: how many. */
  async removePast(database, now, limit) {
    return (await database.prepare(REMOVE_PAST).bind(this.#periodAt(now - CLOCK_MARGIN), limit).run()).results.length;
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
