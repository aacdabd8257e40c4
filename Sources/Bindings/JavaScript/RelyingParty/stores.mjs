/**
 * Stores of a relying party: RelyingPartyStore of PureAttestServer over D1, over PostgreSQL, and in memory. A store has
 * one method: `rows(operation, parameters)` runs an operation of StoreSQL as one atomic step and returns its rows, each
 * an array of the columns. Bytes are Uint8Array, numbers are numbers, and absent values null. Types: stores.d.mts.
 */

import { limitOf, membersOf } from "../Verifier/arguments.mjs";
import { RECEIPT_SCOPE_BYTES } from "../Generated/server-facts.mjs";
import { postgreSQL, sqlite } from "../Generated/statements.mjs";

function statementsOf(dialect, operation) {
  if (!Object.hasOwn(dialect, operation)) throw new TypeError(`no operation ${operation}`);
  return dialect[operation];
}

/** Returns the highest parameter that an SQLite statement names. */
const parametersOf = (statement) => Math.max(0, ...Array.from(statement.matchAll(/\?(\d+)/g), ([, number]) => Number(number)));

export class D1Store {
  #database;

  constructor(database) {
    if (typeof database?.prepare !== "function") throw new TypeError("database: a D1 binding");
    this.#database = database;
  }

  async createTables() {
    await this.#database.batch(sqlite.schema.map((statement) => this.#database.prepare(statement)));
  }

  async rows(operation, parameters) {
    // D1 accepts bytes as an ArrayBuffer, and returns bytes as an array of numbers.
    const values = parameters.map((value) => (value instanceof Uint8Array ? value.slice().buffer : value));
    const statements = statementsOf(sqlite, operation).map((statement) =>
      this.#database.prepare(statement).bind(...values.slice(0, parametersOf(statement))));
    // Calls `all` instead of `run`, because D1 may omit the rows in the result of `run`.
    const results = statements.length === 1 ? [await statements[0].all()] : await this.#database.batch(statements);
    const rows = results.flatMap((result) => Array.from(listOf(result?.results))).map((row) => Object.values(row).map(blobOf));
    return statements.length === 1 ? rows : rows.slice(-1);
  }
}

function blobOf(value) {
  if (Array.isArray(value)) return Uint8Array.from(value);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

/** PostgreSQL through a function that runs one statement, as postgres.js and pg provide. */
export class PostgreSQLStore {
  #query;

  /**
   * @param {(text: string, parameters: unknown[]) => Promise<object[] | { rows: object[] }>} query
   */
  constructor(query) {
    if (typeof query !== "function") throw new TypeError("query: a function of a statement and its parameters");
    this.#query = query;
  }

  async createTables() {
    for (const statement of postgreSQL.schema) {
      // Concurrent `IF NOT EXISTS` statements can conflict in PostgreSQL's catalogue. After a conflict, the table or
      // index exists, so the second attempt succeeds.
      try { await this.#query(statement, []); } catch { await this.#query(statement, []); }
    }
  }

  async rows(operation, parameters) {
    const [statement] = statementsOf(postgreSQL, operation);
    const result = await this.#query(statement, parameters);
    return Array.from(listOf(result?.rows ?? result), (row) => Object.values(row).map(valueOf));
  }
}

/** Returns a driver's rows. Rejects anything else: an error as a value must not count as an empty result. */
function listOf(rows) {
  if (typeof rows !== "object" || !Number.isSafeInteger(rows?.length)) throw new TypeError("the database returned no list of rows");
  return rows;
}

/** Drivers return a BIGINT as text or bigint, because not every 64-bit number is a JavaScript number; all here are. */
function valueOf(value) {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const isNumeral = typeof value === "bigint" || (typeof value === "string" && /^-?\d{1,16}$/.test(value));
  // The relying party rejects all values of other types.
  return isNumeral ? Number(value) : value;
}

export class MemoryStore {
  #tables = { keys: new Map(), consumed: new Map(), budgets: new Map(), purchases: new Map() };
  #capacity;

  constructor(options = {}) {
    const { keys = 65_536, consumed = 262_144 } = membersOf(options, "options", ["keys", "consumed"]);
    const capacity = { keys: limitOf(keys, "keys"), consumed: limitOf(consumed, "consumed") };
    this.#capacity = { ...capacity, budgets: 2 * capacity.keys, purchases: 4 * capacity.keys };
  }

  async rows(operation, parameters) {
    if (!Object.hasOwn(OPERATIONS, operation)) throw new TypeError(`no operation ${operation}`);
    const rows = OPERATIONS[operation]({ ...this.#tables, capacity: this.#capacity }, ...parameters.map(copyOf));
    return rows.map((row) => row.map(copyOf));
  }
}

const copyOf = (value) => (value instanceof Uint8Array ? value.slice() : value);

/** The longest receipt that a row keeps, InMemoryStore.maximumReceiptByteCount. */
const MAXIMUM_RECEIPT = 6_144;

/** Throws unless a table has room for one more row. If it has none, first deletes the rows that `isPast`. */
function makeRoom(table, capacity, isPast) {
  if (isPast && table.size >= capacity) for (const [name, row] of table) if (isPast(row)) table.delete(name);
  if (table.size >= capacity) throw new Error("the store in memory has no room");
}

const makeRoomForToken = ({ consumed, capacity }, time) => makeRoom(consumed, capacity.consumed, (until) => until <= time);

/** Returns a text that sorts like the bytes. */
function named(bytes) {
  let name = "";
  for (const byte of bytes) name += String.fromCharCode(byte);
  return name;
}

const columnsOf = (row) => [row.record, row.account, row.receipt, row.receiptDueAt, row.registeredAt, row.lastUsedAt, row.revokedAt];
const areEqual = (a, b) => a !== null && b !== null && named(a) === named(b);
const budgetName = (holder, end) => `${end} ${named(holder)}`;

/** Inserts a row and returns its name, or nothing if the name is taken. */
function insert(table, capacity, name, row) {
  if (table.has(named(name))) return [];
  makeRoom(table, capacity);
  table.set(named(name), row);
  return [[name]];
}

/** Deletes up to `limit` rows that end at `time` or before, and returns their ends. */
function removeSome(table, endOf, time, limit) {
  const past = [...table].filter(([, row]) => endOf(row) <= time).slice(0, limit);
  for (const [name] of past) table.delete(name);
  return past.map(([, row]) => [endOf(row)]);
}

/** The operations of StoreSQL, with its parameters; each runs without interruption, so it is atomic. */
const OPERATIONS = {
  selectKey: ({ keys }, keyID) => (keys.has(named(keyID)) ? [columnsOf(keys.get(named(keyID)))] : []),

  insertKey(tables, token, until, keyID, record, counter, account, receipt, receiptDueAt, registeredAt) {
    const { keys, consumed, capacity } = tables;
    if (consumed.has(named(token))) return [[2]];
    makeRoomForToken(tables, registeredAt);
    const isNew = !keys.has(named(keyID));
    if (isNew) makeRoom(keys, capacity.keys);
    consumed.set(named(token), until);
    if (!isNew) return [[0]];
    const kept = receipt.length <= MAXIMUM_RECEIPT ? { receipt, receiptDueAt } : { receipt: new Uint8Array(), receiptDueAt: null };
    keys.set(named(keyID), { keyID, record, counter, account, ...kept, registeredAt, lastUsedAt: null, revokedAt: null });
    return [[1]];
  },

  recordUse(tables, token, until, keyID, current, counter, next, time) {
    const { keys, consumed } = tables;
    if (consumed.has(named(token))) return [[2]];
    const row = keys.get(named(keyID));
    if (!row || !areEqual(row.record, current) || row.counter > counter || row.revokedAt !== null) return [[0]];
    makeRoomForToken(tables, time);
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

  claimDueReceipts({ keys }, time, until, limit, scope) {
    const apps = new Set();
    for (let at = 0; at < scope.length; at += RECEIPT_SCOPE_BYTES) apps.add(named(scope.subarray(at, at + RECEIPT_SCOPE_BYTES)));
    const due = [...keys.values()].filter((row) => row.receiptDueAt !== null && row.receiptDueAt <= time && row.revokedAt === null)
      .filter((row) => apps.has(named(row.record.subarray(1, 1 + RECEIPT_SCOPE_BYTES)))).sort((a, b) => a.receiptDueAt - b.receiptDueAt).slice(0, limit);
    for (const row of due) row.receiptDueAt = until;
    return due.map(columnsOf);
  },

  replaceReceipt({ keys }, keyID, current, receipt, receiptDueAt) {
    const row = keys.get(named(keyID));
    if (!row || !areEqual(row.receipt, current)) return [];
    Object.assign(row, receipt.length <= MAXIMUM_RECEIPT ? { receipt, receiptDueAt } : { receiptDueAt });
    return [[keyID]];
  },

  consume: ({ consumed, capacity }, id, until) => insert(consumed, capacity.consumed, id, until),

  selectConsumed: ({ consumed }, id) => (consumed.has(named(id)) ? [[1]] : []),

  removeSomeExpired: ({ consumed }, time, limit) => removeSome(consumed, (until) => until, time, limit),

  spendBudget({ budgets, capacity }, holder, end, units, mostRequests, mostUnits) {
    const name = budgetName(holder, end);
    const row = budgets.get(name) ?? { end, requests: 0, units: 0 };
    // Compares without adding, because a sum may exceed the range of exact integers in JavaScript.
    if (row.requests >= mostRequests || units > mostUnits - row.units) return [];
    if (!budgets.has(name)) makeRoom(budgets, capacity.budgets);
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

  removeSomeBudgets: ({ budgets }, time, limit) => removeSome(budgets, ({ end }) => end, time, limit),

  selectPurchaseRow: ({ purchases }, name) => (purchases.has(named(name)) ? [[purchases.get(named(name))]] : []),

  insertPurchaseRow: ({ purchases, capacity }, name, next) => insert(purchases, capacity.purchases, name, next),

  replacePurchaseRow({ purchases }, name, current, next) {
    if (!purchases.has(named(name)) || !areEqual(purchases.get(named(name)), current)) return [];
    purchases.set(named(name), next);
    return [[name]];
  },
};
