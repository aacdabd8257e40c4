// Compares the Worker with two files that only the checkout has: the article that contains the tables, and the
// service's source. Also tests the version check. Usage: node worker-schema.mjs TEST_MODULE PURE_ATTEST
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { OWN_MEMBERS, UNBOUNDED_MEMBERS } from "../prompt.mjs";
import { SCHEMA_VERSION } from "../schema.mjs";
import { D1Database } from "./d1.mjs";
import { check, env, handlerFor, is, log, migrate, migrationFiles, request, runChecks } from "./worker-support.mjs";

function statementsOf(text) {
  const section = text.split("\n## ").find((part) => part.startsWith("SQLite and Cloudflare D1"));
  const blocks = [...section.matchAll(/### (\w+)\n\n```sql\n([^`]+)\n```/g)];
  assert.ok(blocks.length > 0 && blocks.length === section.split("```sql").length - 1, "the article's SQL section has another form");
  return new Map(blocks.map(([, name, body]) => [name, body.split(/(?<=;)\n/)]));
}

const article = statementsOf(readFileSync(new URL("../../../PureAttestServer/PureAttestServer.docc/SQLStores.md", import.meta.url), "utf8"));
/** Tables that only the Worker has; `budgets` is for Workers of version 3. */
const OWN = ["schema_versions", "allowances", "budgets"];

async function inMemory(statements, body) {
  const made = new D1Database();
  try {
    for (const statement of statements) await made.prepare(statement).run();
    return await body(made);
  } finally {
    made.close();
  }
}

/** Returns each table's columns in order, keys and indices, as SQLite reports them. */
async function describe(database) {
  const query = async (sql) => (await database.prepare(sql).run()).results;
  const tables = await query("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' ORDER BY name");
  return Object.fromEntries(await Promise.all(tables.map(async ({ name, strict }) => {
    const columns = await query(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}') ORDER BY name`);
    const indices = await query(`SELECT name, "unique", origin FROM pragma_index_list('${name}') WHERE origin = 'c' ORDER BY name`);
    for (const index of indices) index.columns = await query(`SELECT name FROM pragma_index_info('${index.name}') ORDER BY seqno`);
    return [name, { strict, columns, indices }];
  })));
}

const without = (tables, names) => Object.fromEntries(Object.entries(tables).filter(([name]) => !names.includes(name)));

await runChecks("the Worker's tables", async () => {
  await check("the migrations create the article's tables and the Worker's own, also if run twice", async () => {
    const migrated = await inMemory([], async (database) => {
      await migrate(database);
      const once = await describe(database);
      assert.deepEqual(await describe(await migrate(database)), once);
      return once;
    });
    const published = await inMemory([...article.get("Schema"), ...article.get("purchaseSchema")], describe);
    assert.ok(Object.keys(published).length >= 3);
    assert.deepEqual(without(migrated, OWN), published);
    assert.deepEqual(Object.keys(migrated).sort(), [...OWN, ...Object.keys(published)].sort());
  });

  await check("the members of a prompt that are never passed on are the service's", () => {
    const source = readFileSync(new URL("../../Service/Sources/AttestService/Generation.swift", import.meta.url), "utf8");
    const listed = (name) => JSON.parse(`[${source.match(new RegExp(`static let ${name} = \\[([^\\]]+?),?\\s*\\]`))[1]}]`);
    assert.deepEqual(OWN_MEMBERS, listed("ownMembers"));
    assert.deepEqual(UNBOUNDED_MEMBERS, listed("unboundedMembers"));
  });

  await check("each migration is numbered and stores its number, and the Worker needs the last", () => {
    for (const [index, { name, statements }] of migrationFiles.entries()) {
      assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}_\\w+\\.sql$`));
      assert.equal(
        statements.at(-1), `INSERT INTO schema_versions (version) VALUES (${index + 1}) ON CONFLICT (version) DO NOTHING;\n`.trimEnd());
    }
    assert.equal(migrationFiles.length, SCHEMA_VERSION);
  });

  await check("tables of the previous version and of the article are migrated to the current ones", async () => {
    const old = [
      "CREATE TABLE challenges (id BLOB PRIMARY KEY NOT NULL, expires_at INTEGER NOT NULL) STRICT;",
      `CREATE TABLE attested_keys (key_id BLOB PRIMARY KEY NOT NULL, record BLOB NOT NULL, counter INTEGER NOT NULL, account BLOB,
        receipt BLOB NOT NULL, registered_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;`,
      "CREATE INDEX attested_keys_by_account ON attested_keys (account);",
      "CREATE TABLE denied_tokens (id BLOB PRIMARY KEY NOT NULL, until_time INTEGER NOT NULL) STRICT;",
      "CREATE INDEX denied_tokens_by_time ON denied_tokens (until_time);",
    ];
    const expected = await inMemory([], async (database) => describe(await migrate(database)));
    for (const before of [article.get("Schema"), [...old, ...article.get("migration")]]) {
      assert.deepEqual(await inMemory(before, async (database) => describe(await migrate(database))), expected);
    }
  });

  await check("a Worker names missing migrations, works once they are applied, and accepts later ones", async () => {
    const party = handlerFor();
    await inMemory([], async (database) => {
      const health = () => request("GET", "/health", undefined, { party, at: { ...env, DB: database } });
      for (let count = 0; count < SCHEMA_VERSION; count += 1) {
        is(await health(), 503, "serverUnavailable");
        assert.equal(log.at(-1).step, "configuration");
        const said = `the database has version ${count} of the schema, this Worker needs ${SCHEMA_VERSION}: wrangler d1 migrations apply`;
        assert.ok(log.at(-1).reason.startsWith(said), log.at(-1).reason);
        await migrate(database, migrationFiles.slice(count, count + 1));
      }
      assert.equal((await health()).status, 200);
      await database.prepare("INSERT INTO schema_versions (version) VALUES (1000)").run();
      const later = { party: handlerFor(), at: { ...env, DB: database } };
      assert.equal((await request("GET", "/health", undefined, later)).status, 200);
    });
  });

  await check("a database failure is not a configuration error, and the Worker queries again", async () => {
    const party = handlerFor();
    const failing = { ...env, DB: { prepare: () => ({ first: async () => { throw new Error("D1_ERROR: overloaded"); } }) } };
    is(await request("GET", "/health", undefined, { party, at: failing }), 503, "serverUnavailable", "D1_ERROR: overloaded");
    assert.equal(log.at(-1).step, "server");
    assert.equal((await request("GET", "/health", undefined, { party })).status, 200);
  });
});
