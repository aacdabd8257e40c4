/** The part of Cloudflare's D1 client that the sample Worker uses, over SQLite (sqlite.py). */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export class D1Database {
  #process;
  #waiting = [];
  /** The number of statements, except the query of the schema version, which each new Worker makes. */
  count = 0;

  /** Opens a database in memory, or in a file that other connections share. */
  constructor(...path) {
    const script = fileURLToPath(new URL("sqlite.py", import.meta.url));
    this.#process = spawn("python3", [script, ...path], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift()(JSON.parse(line)));
  }

  prepare(sql) {
    return new Statement(this, sql, []);
  }

  async batch(statements) {
    this.count += statements.filter(({ sql }) => !sql.includes("schema_versions")).length;
    const answer = await new Promise((resolve) => {
      this.#waiting.push(resolve);
      const described = statements.map(({ sql, values }) => ({ sql, values: values.map(toJSON) }));
      this.#process.stdin.write(`${JSON.stringify({ statements: described })}\n`);
    });
    if (answer.error) throw new Error(`D1_ERROR: ${answer.error}`);
    return answer.rows.map((rows) => ({
      success: true,
      results: rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromJSON(value)]))),
    }));
  }

  close() {
    this.#process.stdin.end();
  }
}

class Statement {
  constructor(database, sql, values) {
    Object.assign(this, { database, sql, values });
  }

  bind(...values) {
    return new Statement(this.database, this.sql, values);
  }

  async first() {
    return (await this.run()).results[0] ?? null;
  }

  async all() {
    return this.run();
  }

  async run() {
    return (await this.database.batch([this]))[0];
  }
}

/** D1 accepts ArrayBuffer, and rejects types that SQLite does not have. */
function toJSON(value) {
  if (value instanceof ArrayBuffer) return { blob: Buffer.from(value).toString("base64") };
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  throw new TypeError(`D1_TYPE_ERROR: ${typeof value}`);
}

function fromJSON(value) {
  return value !== null && typeof value === "object" ? [...Buffer.from(value.blob, "base64")] : value;
}
