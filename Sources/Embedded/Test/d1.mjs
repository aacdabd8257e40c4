/** The part of Cloudflare's D1 client that the sample Worker uses, over a real SQLite (sqlite.py). */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export class D1Database {
  #process = spawn("python3", [fileURLToPath(new URL("sqlite.py", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  #waiting = [];

  constructor() {
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift()(JSON.parse(line)));
  }

  prepare(sql) {
    return new Statement(this, sql, []);
  }

  async execute(sql, values) {
    const answer = await new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${JSON.stringify({ sql, values: values.map(toJSON) })}\n`);
    });
    if (answer.error) throw new Error(`D1_ERROR: ${answer.error}`);
    return answer.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromJSON(value)])));
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
    return (await this.database.execute(this.sql, this.values))[0] ?? null;
  }

  async run() {
    return { success: true, results: await this.database.execute(this.sql, this.values) };
  }
}

/** D1 takes ArrayBuffer, and refuses what SQLite has no type for. */
function toJSON(value) {
  if (value instanceof ArrayBuffer) return { blob: Buffer.from(value).toString("base64") };
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  throw new TypeError(`D1_TYPE_ERROR: ${typeof value}`);
}

/** D1 returns BLOBs as arrays of numbers. */
function fromJSON(value) {
  return value !== null && typeof value === "object" ? [...Buffer.from(value.blob, "base64")] : value;
}
