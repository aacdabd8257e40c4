/**
 * RelyingPartyStore of PureAttestServer over D1. Each call is one statement, or one batch, which D1 runs as one
 * transaction.
 */

import * as sql from "./statements.mjs";

const OUTCOMES = ["otherState", "done", "alreadyConsumed"];
/** removeExpired of the article in batches, because D1 limits the work of one statement. */
const REMOVE_SOME = "DELETE FROM consumed_tokens WHERE id IN (SELECT id FROM consumed_tokens WHERE until_time <= ?1 ORDER BY until_time LIMIT ?2) RETURNING id;";

/** D1 binds BLOBs as ArrayBuffer and returns them as arrays of numbers. */
const blob = (bytes) => bytes && bytes.slice().buffer;
const bytes = (value) => value && new Uint8Array(value);

/**
 * The first bytes of an Android key's RegisteredKey.serialized, by environment. Nothing here verifies its signatures.
 */
const ANDROID = [0xA1, 0xA2];
/** selectKeys of the article with the identifier, which the records of the two platforms store differently. */
const SELECT_KEYS = sql.selectKeys.replace("SELECT record", "SELECT key_id, record");

const recordOf = (row) => ({
  keyID: bytes(row.key_id), record: bytes(row.record), isAndroid: ANDROID.includes(row.record[0]), account: bytes(row.account),
  receipt: bytes(row.receipt), receiptDueAt: row.receipt_due_at, registeredAt: row.registered_at, lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

export class Store {
  #database;

  constructor(database) {
    this.#database = database;
  }

  #first(statement, ...values) {
    return this.#database.prepare(statement).bind(...values).first();
  }

  async #all(statement, ...values) {
    return (await this.#database.prepare(statement).bind(...values).run()).results;
  }

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

  // Keys

  async key(keyID) {
    const row = await this.#first(sql.selectKey, blob(keyID));
    return row && recordOf(row);
  }

  insertKey({ keyID, record, account, receipt, registeredAt }, token) {
    const dueAt = receipt.length === 0 ? null : registeredAt;
    return this.#batch(
      sql.insertKey, blob(token.id), token.until, blob(keyID), blob(record), 0, blob(account), blob(receipt), dueAt, registeredAt);
  }

  /** The column has the record's greatest counter value, which under "slidingWindow" may exceed this assertion's. */
  recordUse(keyID, current, { keyRecord }, now, token) {
    const counter = new DataView(keyRecord.buffer, keyRecord.byteOffset).getUint32(99);
    return this.#batch(
      sql.recordUse, blob(token.id), token.until, blob(keyID), blob(current), counter, blob(keyRecord), now);
  }

  async revokeKey(keyID, now) {
    return (await this.#first(sql.revokeKey, blob(keyID), now)) !== null;
  }

  // Accounts

  /** Returns up to `limit` keys of an account after this key ID, in order. */
  async keys(account, after, limit) {
    return (await this.#all(SELECT_KEYS, blob(account), blob(after ?? new Uint8Array()), limit)).map(recordOf);
  }

  async revokeKeys(account, now) {
    return (await this.#all(sql.revokeKeys, blob(account), now)).length;
  }

  // Receipts

  async claimDueReceipts(now, until, limit) {
    return (await this.#all(sql.claimDueReceipts, now, until, limit)).map(recordOf).filter(({ isAndroid }) => !isAndroid);
  }

  async replaceReceipt(keyID, current, receipt, dueAt) {
    return (await this.#first(sql.replaceReceipt, blob(keyID), blob(current), blob(receipt), dueAt)) !== null;
  }

  // Consumed tokens

  async consume({ id, until }) {
    return (await this.#first(sql.consume, blob(id), until)) !== null;
  }

  async isConsumed(id) {
    return (await this.#first(sql.selectConsumed, blob(id))) !== null;
  }

  /** Returns the number of removed rows, at most `limit`. */
  async removeExpired(now, limit) {
    return (await this.#all(REMOVE_SOME, now, limit)).length;
  }
}
