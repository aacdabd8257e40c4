/**
 * Checks that the tables have the version that this Worker needs. The files in migrations/ create the tables, in order,
 * and each file records its number.
 */

import { Misconfiguration } from "./refusal.mjs";

export const SCHEMA_VERSION = 5;

/**
 * Throws unless the migrations were applied. Accepts later versions, because migrations are applied before the Workers
 * that need them.
 */
export async function checkSchema(database) {
  const version = await versionOf(database);
  if (version < SCHEMA_VERSION) {
    throw new Misconfiguration(
      `the database has version ${version} of the schema, this Worker needs ${SCHEMA_VERSION}: wrangler d1 migrations apply DB --remote`);
  }
}

async function versionOf(database) {
  try {
    return (await database.prepare("SELECT max(version) AS version FROM schema_versions;").first())?.version ?? 0;
  } catch (error) {
    if (/no such table/.test(error.message)) return 0;
    throw error;
  }
}
