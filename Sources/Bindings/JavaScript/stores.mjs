/**
 * Stores of a relying party: RelyingPartyStore of PureAttestServer over D1, over PostgreSQL, and in memory. A store has
 * one method: `rows(operation, parameters)` runs an operation of StoreSQL as one atomic step and returns its rows, each
 * an array of the columns. Bytes are Uint8Array, numbers are numbers, and absent values null.
 */

import { postgreSQL, sqlite } from "./statements.mjs";

const highest = new Map();

/** Returns the highest parameter that an SQLite statement names. */
function parametersOf(statement) {
  if (!highest.has(statement)) {
    highest.set(statement, Math.max(0, ...[...statement.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number))));
  }
  return highest.get(statement);
}

/** Cloudflare D1, a binding of a Worker. */
export class D1Store {
  #database;

  constructor(database) {
    this.#database = database;
  }

  async rows(operation, parameters) {
    // D1 binds bytes as ArrayBuffer, and returns them as arrays of numbers.
    const values = parameters.map((value) => (value instanceof Uint8Array ? value.slice().buffer : value));
    const statements = sqlite[operation].map((statement) =>
      this.#database.prepare(statement).bind(...values.slice(0, parametersOf(statement))));
    const results = statements.length === 1 ? [await statements[0].run()] : await this.#database.batch(statements);
    const rows = results.flatMap(({ results }) => results ?? []).map((row) =>
      Object.values(row).map((value) => (Array.isArray(value) ? Uint8Array.from(value) : value)));
    return statements.length === 1 ? rows : rows.slice(-1);
  }
}

/** PostgreSQL through a function that runs one statement, as postgres.js, pg and Supabase's clients have it. */
export class PostgreSQLStore {
  #query;

  /**
   * @param {(text: string, parameters: unknown[]) => Promise<object[] | { rows: object[] }>} query
   */
  constructor(query) {
    this.#query = query;
  }

  /** Creates the tables unless they exist. */
  async createTables() {
    for (const statement of postgreSQL.schema) await this.#query(statement, []);
  }

  async rows(operation, parameters) {
    const [statement] = postgreSQL[operation];
    const result = await this.#query(statement, parameters);
    return Array.from(result.rows ?? result, (row) => Object.values(row).map(valueOf));
  }
}

/** Drivers return a BIGINT as text or bigint, because not every 64-bit number is a JavaScript number; all here are. */
function valueOf(value) {
  if (value === undefined || value === null) return null;
  return value instanceof Uint8Array ? new Uint8Array(value) : Number(value);
}

/** The memory of one process, for tests and for servers that may lose keys on restart. A full store throws. */
export class MemoryStore {
  #keys = new Map();
  #consumed = new Map();
  #budgets = new Map();
  #capacity;

  constructor({ capacity = 65_536 } = {}) {
    this.#capacity = capacity;
  }

  async rows(operation, parameters) {
    const run = OPERATIONS[operation];
    if (!run) throw new TypeError(`no operation ${operation}`);
    const tables = { keys: this.#keys, consumed: this.#consumed, budgets: this.#budgets };
    if (Math.max(...Object.values(tables).map(({ size }) => size)) >= this.#capacity) throw new Error("the store in memory has no room");
    return run(tables, ...parameters);
  }
}

const named = (bytes) => String.fromCharCode(...bytes);
const columnsOf = (row) => [row.record, row.account, row.receipt, row.receiptDueAt, row.registeredAt, row.lastUsedAt, row.revokedAt];
const areEqual = (a, b) => a !== null && b !== null && named(a) === named(b);
const budgetName = (holder, end) => `${end} ${named(holder)}`;

/** The operations of StoreSQL, with its parameters; each runs without interruption, so it is atomic. */
const OPERATIONS = {
  selectKey: ({ keys }, keyID) => (keys.has(named(keyID)) ? [columnsOf(keys.get(named(keyID)))] : []),

  insertKey({ keys, consumed }, token, until, keyID, record, counter, account, receipt, receiptDueAt, registeredAt) {
    if (consumed.has(named(token))) return [[2]];
    consumed.set(named(token), until);
    if (keys.has(named(keyID))) return [[0]];
    keys.set(named(keyID), { keyID, record, counter, account, receipt, receiptDueAt, registeredAt, lastUsedAt: null, revokedAt: null });
    return [[1]];
  },

  recordUse({ keys, consumed }, token, until, keyID, current, counter, next, time) {
    if (consumed.has(named(token))) return [[2]];
    const row = keys.get(named(keyID));
    if (!row || !areEqual(row.record, current) || row.counter > counter || row.revokedAt !== null) return [[0]];
    consumed.set(named(token), until);
    Object.assign(row, { record: next, counter, lastUsedAt: time });
    return [[1]];
  },

  revokeKey({ keys }, keyID, time) {
    const row = keys.get(named(keyID));
    if (!row || row.revokedAt !== null) return [];
    row.revokedAt = time;
    return [[keyID]];
  },

  selectKeys: ({ keys }, account, after, limit) => [...keys.values()]
    .filter((row) => areEqual(row.account, account) && named(row.keyID) > named(after))
    .sort((a, b) => (named(a.keyID) < named(b.keyID) ? -1 : 1)).slice(0, limit).map(columnsOf),

  revokeKeys: (tables, account, time) => [...tables.keys.values()].filter((row) => areEqual(row.account, account))
    .flatMap(({ keyID }) => OPERATIONS.revokeKey(tables, keyID, time)),

  claimDueReceipts({ keys }, time, until, limit) {
    const due = [...keys.values()].filter((row) => row.receiptDueAt !== null && row.receiptDueAt <= time && row.revokedAt === null)
      .sort((a, b) => a.receiptDueAt - b.receiptDueAt).slice(0, limit);
    for (const row of due) row.receiptDueAt = until;
    return due.map(columnsOf);
  },

  replaceReceipt({ keys }, keyID, current, receipt, receiptDueAt) {
    const row = keys.get(named(keyID));
    if (!row || !areEqual(row.receipt, current)) return [];
    Object.assign(row, { receipt, receiptDueAt });
    return [[keyID]];
  },

  consume({ consumed }, id, until) {
    if (consumed.has(named(id))) return [];
    consumed.set(named(id), until);
    return [[id]];
  },

  selectConsumed: ({ consumed }, id) => (consumed.has(named(id)) ? [[1]] : []),

  removeSomeExpired({ consumed }, time, limit) {
    const expired = [...consumed].filter(([, until]) => until <= time).slice(0, limit);
    for (const [id] of expired) consumed.delete(id);
    return expired.map(([, until]) => [until]);
  },

  spendBudget({ budgets }, holder, end, units, mostRequests, mostUnits) {
    const name = budgetName(holder, end);
    const row = budgets.get(name) ?? { end, requests: 0, units: 0 };
    if (row.requests + 1 > mostRequests || row.units + units > mostUnits) return [];
    budgets.set(name, { end, requests: row.requests + 1, units: row.units + units });
    return [[row.requests + 1, row.units + units]];
  },

  settleBudget({ budgets }, holder, end, reserved, used) {
    const row = budgets.get(budgetName(holder, end));
    if (row) row.units = Math.min(Math.max(row.units - reserved + used, 0), Number.MAX_SAFE_INTEGER);
    return [];
  },

  selectBudget({ budgets }, holder, end) {
    const row = budgets.get(budgetName(holder, end));
    return row ? [[row.requests, row.units]] : [];
  },

  removeSomeBudgets({ budgets }, time, limit) {
    const past = [...budgets].filter(([, { end }]) => end <= time).slice(0, limit);
    for (const [name] of past) budgets.delete(name);
    return past.map(([, { end }]) => [end]);
  },
};
