/** RelyingPartyStore of PureAttestServer over D1. Each call is one statement, or one batch, which D1 runs as one transaction. */

import * as sql from "./statements.mjs";

const OUTCOMES = ["otherState", "done", "alreadySpent"];
/** Beyond the statements of the article: D1 limits what one statement may do. */
const REMOVE_SOME = "DELETE FROM spent WHERE id IN (SELECT id FROM spent WHERE until_time <= ?1 ORDER BY until_time LIMIT ?2) RETURNING id;";

/** D1 binds BLOBs as ArrayBuffer and returns them as arrays of numbers. */
const blob = (bytes) => bytes && bytes.slice().buffer;
const bytes = (value) => value && new Uint8Array(value);

export class Store {
  #database;

  constructor(database) {
    this.#database = database;
  }

  #first(statement, ...values) {
    return this.#database.prepare(statement).bind(...values).first();
  }

  /** The outcome is the last row that any of the statements returns. */
  async #batch(statements, ...values) {
    const bound = statements.map((statement) => {
      const count = Math.max(...[...statement.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
      return this.#database.prepare(statement).bind(...values.slice(0, count));
    });
    const rows = (await this.#database.batch(bound)).flatMap(({ results }) => results ?? []);
    const outcome = OUTCOMES[rows.at(-1)?.outcome];
    if (!outcome) throw new Error("the database gave no outcome");
    return outcome;
  }

  async key(keyID) {
    const row = await this.#first(sql.selectKey, blob(keyID));
    return row && { record: bytes(row.record), account: bytes(row.account), revokedAt: row.revoked_at };
  }

  insertKey({ keyID, record, account, receipt, registeredAt }, spending) {
    const dueAt = receipt.length === 0 ? null : registeredAt;
    return this.#batch(
      sql.insertKey, blob(spending.id), spending.until, blob(keyID), blob(record), 0, blob(account), blob(receipt), dueAt, registeredAt);
  }

  /** The column has the greatest counter value of the record, which under "slidingWindow" need not be this assertion's. */
  advanceCounter(keyID, current, { keyRecord }, now, spending) {
    const counter = new DataView(keyRecord.buffer, keyRecord.byteOffset).getUint32(99);
    return this.#batch(
      sql.advanceCounter, blob(spending.id), spending.until, blob(keyID), blob(current), counter, blob(keyRecord), now);
  }

  async spend({ id, until }) {
    return (await this.#first(sql.spend, blob(id), until)) !== null;
  }

  async isSpent(id) {
    return (await this.#first(sql.selectSpent, blob(id))) !== null;
  }

  /** How many rows were removed, at most `limit`. */
  async removeExpired(now, limit) {
    return (await this.#database.prepare(REMOVE_SOME).bind(now, limit).run()).results.length;
  }
}
