/** The schema and the statements of the Worker's store, which keeps challenges until they are answered. */

export const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS challenges (
    id BLOB PRIMARY KEY NOT NULL,
    value BLOB NOT NULL,
    purpose INTEGER NOT NULL CHECK (purpose IN (1, 2)),
    key_id BLOB NOT NULL,
    account BLOB,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;`,
  `CREATE INDEX IF NOT EXISTS challenges_by_expiry ON challenges (expires_at);`,
  `CREATE TABLE IF NOT EXISTS attested_keys (
    key_id BLOB PRIMARY KEY NOT NULL,
    record BLOB NOT NULL,
    counter INTEGER NOT NULL,
    account BLOB,
    receipt BLOB NOT NULL,
    registered_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;`,
  `CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account);`,
  `CREATE TABLE IF NOT EXISTS denied_tokens (
    id BLOB PRIMARY KEY NOT NULL,
    until_time INTEGER NOT NULL
) STRICT;`,
  `CREATE INDEX IF NOT EXISTS denied_tokens_by_time ON denied_tokens (until_time);`,
];

export const insertChallenge = `INSERT INTO challenges (id, value, purpose, key_id, account, issued_at, expires_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);`;

export const consumeChallenge = `DELETE FROM challenges WHERE id = ?1
RETURNING id, value, purpose, key_id, account, issued_at, expires_at;`;

export const insertKey = `INSERT INTO attested_keys (key_id, record, counter, account, receipt, registered_at, revoked_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (key_id) DO NOTHING
RETURNING key_id;`;

export const selectKey = `SELECT record, account, receipt, registered_at, revoked_at FROM attested_keys WHERE key_id = ?1;`;

export const advanceCounter = `UPDATE attested_keys SET record = ?3, counter = ?4
WHERE key_id = ?1 AND record = ?2 AND counter <= ?4 AND revoked_at IS NULL
RETURNING key_id;`;

export const denyToken = `INSERT INTO denied_tokens (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING id;`;

export const selectToken = `SELECT 1 FROM denied_tokens WHERE id = ?1;`;

export const removeExpiredChallenges = `DELETE FROM challenges WHERE expires_at <= ?1;`;

export const removeExpiredTokens = `DELETE FROM denied_tokens WHERE until_time <= ?1;`;
