/** Stores of a relying party. */

/** A column or parameter: bytes, a whole number, or nothing. */
export type Value = Uint8Array | number | null;

/**
 * A database. `rows` runs an operation of statements.mjs as one atomic step, and returns its rows as arrays of columns.
 * The relying party rethrows errors unchanged. Two processes may call it at the same time.
 */
export interface Store {
  rows(operation: string, parameters: Value[]): Promise<Value[][]>;
}

/** The part of Cloudflare's D1 that the store uses. */
export interface D1Like {
  prepare(statement: string): D1LikeStatement;
  batch(statements: any[]): Promise<{ results: unknown[] }[]>;
}

export interface D1LikeStatement {
  bind(...values: unknown[]): D1LikeStatement;
  all(): Promise<{ results: unknown[] }>;
}

/** Cloudflare D1, by a Worker's binding. */
export class D1Store implements Store {
  constructor(database: D1Like);
  /** Creates the tables and indices unless they exist. */
  createTables(): Promise<void>;
  rows(operation: string, parameters: Value[]): Promise<Value[][]>;
}

/**
 * PostgreSQL 12 or later, through a function that runs one statement with its parameters:
 *
 * - pg: `(text, values) => pool.query(text, values)`
 * - postgres.js: `(text, values) => sql.unsafe(text, values)`
 *
 * A BIGINT may be a number, a bigint or text. The isolation level is READ COMMITTED, which is the default.
 */
export class PostgreSQLStore implements Store {
  constructor(query: (text: string, parameters: any[]) => PromiseLike<ArrayLike<any> | { rows: ArrayLike<any> }>);
  /** Creates the tables and indices unless they exist. */
  createTables(): Promise<void>;
  rows(operation: string, parameters: Value[]): Promise<Value[][]>;
}

/** The memory of one process, for tests and for servers that may lose all keys on restart. */
export class MemoryStore implements Store {
  /**
   * @param options the maximum numbers of rows: by default 65,536 keys and 262,144 consumed tokens; and, for each key,
   * two budget periods and four rows of purchases. A full store throws an `Error`
   */
  constructor(options?: { keys?: number; consumed?: number });
  rows(operation: string, parameters: Value[]): Promise<Value[][]>;
}
