/**
 * Tests the relying party over each store: node party-stores.mjs MODULE TOOL. PUREATTEST_POSTGRES_BIN may name the folder
 * of initdb, and NODE_PG the folder of node-pg; without them PostgreSQL is not tested, and the last line says so.
 */

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { D1Database } from "../../../Apps/Worker/Test/d1.mjs";
import * as limits from "../limits.mjs";
import * as http from "../http.mjs";
import * as relyingParty from "../relying-party.mjs";
import * as stores from "../stores.mjs";
import { runCases } from "./party-cases.mjs";
import { runHTTP } from "./party-http.mjs";
import { runOptions } from "./party-options.mjs";
import { Bench } from "./party-support.mjs";
import { runSuite } from "./party-suite.mjs";
import { PostgreSQLServer } from "./postgresql.mjs";

const [modulePath, tool] = process.argv.slice(2);
const library = { ...relyingParty, ...stores, ...limits, ...http };
const bench = new Bench(library, new WebAssembly.Module(readFileSync(modulePath)), tool);
const closing = [];
const databases = ["memory", "D1"];
try {
  await runOptions(bench);
  await runCases(bench);
  await runHTTP(bench);
  await bench.check("the module forgets requests that the platform cancelled", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    // Like a Worker whose client left: the store's answer never comes.
    const party = await bench.party({ rows: () => new Promise(() => {}) });
    const { challenge } = await party.issueChallenge({ purpose: "assertion", keyID: bench.device.keyID });
    const request = { method: "POST", target: "/", body: new Uint8Array(60_000) };
    const leave = async () => {
      for (let count = 0; count < 40; count += 1) {
        party.authenticate({ assertion: new Uint8Array(9), keyID: bench.device.keyID, challenge, request });
      }
      for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        collect();
      }
    };
    await leave();
    const size = party.verifier.memorySize;
    for (let round = 0; round < 4; round += 1) await leave();
    // Forty requests take 3 MB.
    if (party.verifier.memorySize > size + 1_500_000) throw new Error(`${size} to ${party.verifier.memorySize} bytes`);
  });
  await runSuite(bench, "memory", async () => {
    const store = new stores.MemoryStore();
    return [store, store];
  });
  let number = 0;
  await runSuite(bench, "D1", async () => {
    const file = join(bench.folder, `d1-${number += 1}.sqlite`);
    const connections = [new D1Database(file), new D1Database(file)];
    closing.push(...connections.map((database) => () => database.close()));
    const both = connections.map((database) => new stores.D1Store(database));
    await both[0].createTables();
    return both;
  });
  const { PUREATTEST_POSTGRES_BIN: programs, NODE_PG: folder } = process.env;
  if (programs && folder) {
    const { Pool } = createRequire(join(folder, "index.js"))("pg");
    const server = await PostgreSQLServer.start(programs);
    closing.push(() => server.stop());
    const pools = (schema) =>
      [0, 1].map(() => {
        const pool = new Pool({ ...server.options(schema), max: 4 });
        // A connection may still see the server's end.
        pool.on("error", () => {});
        closing.unshift(() => pool.end());
        return pool;
      });
    const connect = (storeOf) => async () => {
      const both = pools(await server.newSchema()).map(storeOf);
      await both[0].createTables();
      return both;
    };
    await runSuite(
      bench,
      "PostgreSQL by node-pg",
      connect((pool) => new stores.PostgreSQLStore((text, values) => pool.query(text, values))),
    );
    // postgres.js returns an array of rows with further members, and each BIGINT as text or bigint; columns keep their order.
    await runSuite(
      bench,
      "PostgreSQL in the form of postgres.js",
      connect((pool) =>
        new stores.PostgreSQLStore(async (text, values) => {
          const { rows, rowCount, command } = await pool.query(text, values);
          const form = (value) => (typeof value === "string" ? BigInt(value) : value);
          return Object.assign(rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, form(value)]))), {
            count: rowCount,
            command,
            columns: [],
            statement: { string: text },
          });
        })
      ),
    );
    databases.push("PostgreSQL by node-pg", "PostgreSQL in the form of postgres.js");
  } else if (process.env.CI === "true") {
    throw new Error("PUREATTEST_POSTGRES_BIN and NODE_PG are required with CI=true");
  }
} finally {
  for (const close of closing) await close();
  bench.close();
}
const missing = databases.length === 2 ? "; PostgreSQL not tested: PUREATTEST_POSTGRES_BIN or NODE_PG is not set" : "";
console.log(`${bench.count} checks of the relying party over ${databases.join(", ")} passed${missing}`);
