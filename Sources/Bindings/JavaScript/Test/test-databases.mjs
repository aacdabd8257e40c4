/**
 * Each store over new databases, for tests: in memory, SQLite behind D1's interface, and PostgreSQL. PUREATTEST_POSTGRES_BIN
 * may name the folder of initdb, and NODE_PG the folder of node-pg; without them PostgreSQL is not tested, and `names` says
 * so.
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import { D1Database } from "../../../Apps/Worker/Test/d1.mjs";
import * as stores from "../RelyingParty/stores.mjs";
import { PostgreSQLServer } from "./postgresql.mjs";

/** Each of `stores` has a name, and a function that returns two connections to one new store. */
export class TestDatabases {
  stores = [];
  #closing = [];

  static async in(folder) {
    const databases = new TestDatabases();
    databases.#add("memory", async () => Array(2).fill(new stores.MemoryStore()));
    let number = 0;
    databases.#add("D1", async () => {
      const file = join(folder, `d1-${number += 1}.sqlite`);
      const connections = [new D1Database(file), new D1Database(file)];
      databases.#closing.push(...connections.map((database) => () => database.close()));
      return created(connections.map((database) => new stores.D1Store(database)));
    });
    const { PUREATTEST_POSTGRES_BIN: programs, NODE_PG: driver, CI } = process.env;
    if (programs && driver) await databases.#addPostgreSQL(programs, driver);
    else if (CI === "true") throw new Error("PUREATTEST_POSTGRES_BIN and NODE_PG are required with CI=true");
    return databases;
  }

  get names() {
    const missing = this.stores.length === 2 ? "; PostgreSQL not tested: PUREATTEST_POSTGRES_BIN or NODE_PG is not set" : "";
    return `${this.stores.map(({ name }) => name).join(", ")}${missing}`;
  }

  async close() {
    for (const close of this.#closing) await close();
  }

  #add(name, connect) {
    this.stores.push({ name, connect });
  }

  async #addPostgreSQL(programs, driver) {
    const { Pool } = createRequire(join(driver, "index.js"))("pg");
    const server = await PostgreSQLServer.start(programs);
    this.#closing.push(() => server.stop());
    const connect = (storeOf) => async () => {
      const schema = await server.newSchema();
      const pools = [0, 1].map(() => {
        const pool = new Pool({ ...server.options(schema), max: 4 });
        // A connection may report an error when the server stops.
        pool.on("error", () => {});
        this.#closing.unshift(() => pool.end());
        return pool;
      });
      return created(pools.map(storeOf));
    };
    this.#add("PostgreSQL by node-pg", connect((pool) => new stores.PostgreSQLStore((text, values) => pool.query(text, values))));
    // postgres.js returns an array of rows with additional members. BIGINT is a string or a bigint; the columns keep their order.
    this.#add("PostgreSQL in the form of postgres.js", connect((pool) =>
      new stores.PostgreSQLStore(async (text, values) => {
        const { rows, rowCount, command } = await pool.query(text, values);
        const form = (value) => (typeof value === "string" ? BigInt(value) : value);
        return Object.assign(rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, form(value)]))), {
          count: rowCount, command, columns: [], statement: { string: text },
        });
      })));
  }
}

async function created(both) {
  await both[0].createTables();
  return both;
}
