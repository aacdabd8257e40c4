/**
 * Written by generate-bindings from StoreSQL of PureAttestServer: the statements of each operation, whose parameters
 * StoreSQL documents. A list of several statements is one transaction. Each statement takes the operation's
 * parameters up to the highest that it names, and the last row that any of them returns is the outcome.
 */

export const sqlite = {
  schema: [
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
) STRICT`,
    `CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account, key_id)`,
    `CREATE INDEX IF NOT EXISTS attested_keys_by_receipt ON attested_keys (receipt_due_at)`,
    `CREATE TABLE IF NOT EXISTS consumed_tokens (
    id BLOB PRIMARY KEY NOT NULL,
    until_time INTEGER NOT NULL
) STRICT`,
    `CREATE INDEX IF NOT EXISTS consumed_tokens_by_time ON consumed_tokens (until_time)`,
    `CREATE TABLE IF NOT EXISTS budget_periods (
    holder BLOB NOT NULL,
    ends_at INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (holder, ends_at)
) STRICT`,
    `CREATE INDEX IF NOT EXISTS budget_periods_by_end ON budget_periods (ends_at)`,
    `CREATE TABLE IF NOT EXISTS purchase_rows (
    name BLOB PRIMARY KEY NOT NULL,
    value BLOB NOT NULL
) STRICT`,
  ],
  selectKey: [
    `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys WHERE key_id = ?1`,
  ],
  insertKey: [
    `SELECT 2 AS outcome FROM consumed_tokens WHERE id = ?1`,
    `INSERT INTO consumed_tokens (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING 0 AS outcome`,
    `INSERT INTO attested_keys (key_id, record, counter, account, receipt, receipt_due_at, registered_at)
SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE changes() = 1
ON CONFLICT (key_id) DO NOTHING
RETURNING 1 AS outcome`,
  ],
  recordUse: [
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM consumed_tokens WHERE id = ?1) THEN 2 ELSE 0 END AS outcome`,
    `INSERT INTO consumed_tokens (id, until_time)
SELECT ?1, ?2 FROM attested_keys
WHERE key_id = ?3 AND record = ?4 AND counter <= ?5 AND revoked_at IS NULL
ON CONFLICT (id) DO NOTHING`,
    `UPDATE attested_keys SET record = ?6, counter = ?5, last_used_at = ?7
WHERE key_id = ?3 AND changes() = 1
RETURNING 1 AS outcome`,
  ],
  revokeKey: [
    `UPDATE attested_keys SET revoked_at = ?2
WHERE key_id = ?1 AND revoked_at IS NULL
RETURNING key_id`,
  ],
  selectKeys: [
    `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys
WHERE account = ?1 AND key_id > ?2
ORDER BY key_id LIMIT ?3`,
  ],
  revokeKeys: [
    `UPDATE attested_keys SET revoked_at = ?2
WHERE account = ?1 AND revoked_at IS NULL
RETURNING key_id`,
  ],
  claimDueReceipts: [
    `UPDATE attested_keys SET receipt_due_at = ?2
WHERE key_id IN (
    SELECT key_id FROM attested_keys
    WHERE receipt_due_at <= ?1 AND revoked_at IS NULL
        AND length(record) > 33 AND instr(?4, substr(record, 2, 33)) > 0
    ORDER BY receipt_due_at LIMIT ?3
)
RETURNING record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at`,
  ],
  replaceReceipt: [
    `UPDATE attested_keys SET receipt = ?3, receipt_due_at = ?4
WHERE key_id = ?1 AND receipt = ?2
RETURNING key_id`,
  ],
  consume: [
    `INSERT INTO consumed_tokens (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING id`,
  ],
  selectConsumed: [
    `SELECT 1 FROM consumed_tokens WHERE id = ?1`,
  ],
  removeSomeExpired: [
    `DELETE FROM consumed_tokens
WHERE id IN (SELECT id FROM consumed_tokens WHERE until_time <= ?1 ORDER BY until_time LIMIT ?2)
RETURNING until_time`,
  ],
  spendBudget: [
    `INSERT INTO budget_periods (holder, ends_at, requests, units)
SELECT ?1, ?2, 1, ?3 WHERE ?4 >= 1 AND ?5 >= ?3
ON CONFLICT (holder, ends_at) DO UPDATE SET requests = budget_periods.requests + 1, units = budget_periods.units + ?3
WHERE budget_periods.requests + 1 <= ?4 AND budget_periods.units + ?3 <= ?5
RETURNING requests, units`,
  ],
  settleBudget: [
    `UPDATE budget_periods SET units = min(max(units - ?3 + ?4, 0), 9007199254740991)
WHERE holder = ?1 AND ends_at = ?2`,
  ],
  selectBudget: [
    `SELECT requests, units FROM budget_periods WHERE holder = ?1 AND ends_at = ?2`,
  ],
  removeSomeBudgets: [
    `DELETE FROM budget_periods
WHERE (holder, ends_at) IN (
    SELECT holder, ends_at FROM budget_periods WHERE ends_at <= ?1 ORDER BY ends_at LIMIT ?2
)
RETURNING ends_at`,
  ],
  selectPurchaseRow: [
    `SELECT value FROM purchase_rows WHERE name = ?1`,
  ],
  insertPurchaseRow: [
    `INSERT INTO purchase_rows (name, value) VALUES (?1, ?2)
ON CONFLICT (name) DO NOTHING
RETURNING name`,
  ],
  replacePurchaseRow: [
    `UPDATE purchase_rows SET value = ?3
WHERE name = ?1 AND value = ?2
RETURNING name`,
  ],
};

export const postgreSQL = {
  schema: [
    `CREATE TABLE IF NOT EXISTS attested_keys (
    key_id BYTEA PRIMARY KEY NOT NULL,
    record BYTEA NOT NULL,
    counter BIGINT NOT NULL,
    account BYTEA,
    receipt BYTEA NOT NULL,
    receipt_due_at BIGINT,
    registered_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
)`,
    `CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account, key_id)`,
    `CREATE INDEX IF NOT EXISTS attested_keys_by_receipt ON attested_keys (receipt_due_at)`,
    `CREATE TABLE IF NOT EXISTS consumed_tokens (
    id BYTEA PRIMARY KEY NOT NULL,
    until_time BIGINT NOT NULL
)`,
    `CREATE INDEX IF NOT EXISTS consumed_tokens_by_time ON consumed_tokens (until_time)`,
    `CREATE TABLE IF NOT EXISTS budget_periods (
    holder BYTEA NOT NULL,
    ends_at BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    units BIGINT NOT NULL,
    PRIMARY KEY (holder, ends_at)
)`,
    `CREATE INDEX IF NOT EXISTS budget_periods_by_end ON budget_periods (ends_at)`,
    `CREATE TABLE IF NOT EXISTS purchase_rows (
    name BYTEA PRIMARY KEY NOT NULL,
    value BYTEA NOT NULL
)`,
  ],
  selectKey: [
    `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys WHERE key_id = $1`,
  ],
  insertKey: [
    `WITH consumed AS (
    INSERT INTO consumed_tokens (id, until_time) VALUES ($1, $2)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
), inserted AS (
    INSERT INTO attested_keys (key_id, record, counter, account, receipt, receipt_due_at, registered_at)
    SELECT $3::BYTEA, $4::BYTEA, $5::BIGINT, $6::BYTEA, $7::BYTEA, $8::BIGINT, $9::BIGINT FROM consumed
    ON CONFLICT (key_id) DO NOTHING
    RETURNING key_id
)
SELECT CASE
    WHEN EXISTS (SELECT FROM inserted) THEN 1
    WHEN EXISTS (SELECT FROM consumed) THEN 0
    ELSE 2
END AS outcome`,
  ],
  recordUse: [
    `WITH current AS (
    SELECT key_id FROM attested_keys
    WHERE key_id = $3 AND record = $4 AND counter <= $5 AND revoked_at IS NULL
    FOR UPDATE
), consumed AS (
    INSERT INTO consumed_tokens (id, until_time)
    SELECT $1::BYTEA, $2::BIGINT FROM current
    ON CONFLICT (id) DO NOTHING
    RETURNING id
), recorded AS (
    UPDATE attested_keys SET record = $6, counter = $5, last_used_at = $7
    FROM consumed
    WHERE key_id = $3
    RETURNING key_id
)
SELECT CASE
    WHEN EXISTS (SELECT FROM recorded) THEN 1
    WHEN EXISTS (SELECT FROM current) OR EXISTS (SELECT FROM consumed_tokens WHERE id = $1) THEN 2
    ELSE 0
END AS outcome`,
  ],
  revokeKey: [
    `UPDATE attested_keys SET revoked_at = $2
WHERE key_id = $1 AND revoked_at IS NULL
RETURNING key_id`,
  ],
  selectKeys: [
    `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys
WHERE account = $1 AND key_id > $2
ORDER BY key_id LIMIT $3`,
  ],
  revokeKeys: [
    `UPDATE attested_keys SET revoked_at = $2
WHERE account = $1 AND revoked_at IS NULL
RETURNING key_id`,
  ],
  claimDueReceipts: [
    `WITH due AS (
    SELECT key_id AS due_id FROM attested_keys
    WHERE receipt_due_at <= $1 AND revoked_at IS NULL
        AND length(record) > 33 AND position(substr(record, 2, 33) in $4) > 0
    ORDER BY receipt_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE attested_keys SET receipt_due_at = $2 FROM due WHERE key_id = due_id
RETURNING record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at`,
  ],
  replaceReceipt: [
    `UPDATE attested_keys SET receipt = $3, receipt_due_at = $4
WHERE key_id = $1 AND receipt = $2
RETURNING key_id`,
  ],
  consume: [
    `INSERT INTO consumed_tokens (id, until_time) VALUES ($1, $2)
ON CONFLICT (id) DO NOTHING
RETURNING id`,
  ],
  selectConsumed: [
    `SELECT 1 FROM consumed_tokens WHERE id = $1`,
  ],
  removeSomeExpired: [
    `DELETE FROM consumed_tokens
WHERE id IN (SELECT id FROM consumed_tokens WHERE until_time <= $1 ORDER BY until_time LIMIT $2)
RETURNING until_time`,
  ],
  spendBudget: [
    `INSERT INTO budget_periods (holder, ends_at, requests, units)
SELECT $1::BYTEA, $2::BIGINT, 1, $3::BIGINT WHERE $4::BIGINT >= 1 AND $5::BIGINT >= $3::BIGINT
ON CONFLICT (holder, ends_at) DO UPDATE SET requests = budget_periods.requests + 1, units = budget_periods.units + $3
WHERE budget_periods.requests + 1 <= $4 AND budget_periods.units + $3 <= $5
RETURNING requests, units`,
  ],
  settleBudget: [
    `UPDATE budget_periods SET units = LEAST(GREATEST(units - $3 + $4, 0), 9007199254740991)
WHERE holder = $1 AND ends_at = $2`,
  ],
  selectBudget: [
    `SELECT requests, units FROM budget_periods WHERE holder = $1 AND ends_at = $2`,
  ],
  removeSomeBudgets: [
    `DELETE FROM budget_periods
WHERE (holder, ends_at) IN (
    SELECT holder, ends_at FROM budget_periods WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2
)
RETURNING ends_at`,
  ],
  selectPurchaseRow: [
    `SELECT value FROM purchase_rows WHERE name = $1`,
  ],
  insertPurchaseRow: [
    `INSERT INTO purchase_rows (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING
RETURNING name`,
  ],
  replacePurchaseRow: [
    `UPDATE purchase_rows SET value = $3
WHERE name = $1 AND value = $2
RETURNING name`,
  ],
};
