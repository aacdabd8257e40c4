/** The schema and the statements of the article "SQL stores" of PureAttestServer, word for word: a test compares them. */

export const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS attested_keys (
    key_id BLOB PRIMARY KEY NOT NULL,
    record BLOB NOT NULL,
    counter INTEGER NOT NULL,
    account BLOB,
    receipt BLOB NOT NULL,
    receipt_due_at INTEGER,
    registered_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;`,
  `CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account, key_id);`,
  `CREATE INDEX IF NOT EXISTS attested_keys_by_receipt ON attested_keys (receipt_due_at);`,
  `CREATE TABLE IF NOT EXISTS spent (
    id BLOB PRIMARY KEY NOT NULL,
    until_time INTEGER NOT NULL
) STRICT;`,
  `CREATE INDEX IF NOT EXISTS spent_by_time ON spent (until_time);`,
];

/** What makes the tables of the version before into these, in one batch before the schema. */
export const migration = [
  `ALTER TABLE attested_keys ADD COLUMN receipt_due_at INTEGER;`,
  `ALTER TABLE attested_keys ADD COLUMN last_used_at INTEGER;`,
  `DROP INDEX attested_keys_by_account;`,
  `ALTER TABLE denied_tokens RENAME TO spent;`,
  `DROP INDEX denied_tokens_by_time;`,
  `DROP TABLE challenges;`,
];

export const selectKey = `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys WHERE key_id = ?1;`;

/** One batch, as is the next: each statement takes the operation's parameters up to the highest that it names. */
export const insertKey = [
  `SELECT 2 AS outcome FROM spent WHERE id = ?1;`,
  `INSERT INTO spent (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING 0 AS outcome;`,
  `INSERT INTO attested_keys (key_id, record, counter, account, receipt, receipt_due_at, registered_at)
SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE changes() = 1
ON CONFLICT (key_id) DO NOTHING
RETURNING 1 AS outcome;`,
];

export const advanceCounter = [
  `SELECT CASE WHEN EXISTS (SELECT 1 FROM spent WHERE id = ?1) THEN 2 ELSE 0 END AS outcome;`,
  `INSERT INTO spent (id, until_time)
SELECT ?1, ?2 FROM attested_keys
WHERE key_id = ?3 AND record = ?4 AND counter <= ?5 AND revoked_at IS NULL
ON CONFLICT (id) DO NOTHING;`,
  `UPDATE attested_keys SET record = ?6, counter = ?5, last_used_at = ?7
WHERE key_id = ?3 AND changes() = 1
RETURNING 1 AS outcome;`,
];

export const revokeKey = `UPDATE attested_keys SET revoked_at = ?2
WHERE key_id = ?1 AND revoked_at IS NULL
RETURNING key_id;`;

export const spend = `INSERT INTO spent (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING id;`;

export const selectSpent = `SELECT 1 FROM spent WHERE id = ?1;`;

export const removeExpired = `DELETE FROM spent WHERE until_time <= ?1;`;
