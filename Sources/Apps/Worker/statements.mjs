/**
 * Written by Test/statements.mjs: the statements of the article "SQL stores" of PureAttestServer. A list is one batch, in which each
 * statement takes the operation's parameters up to the highest that it names.
 */

export const selectKey = `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys WHERE key_id = ?1;`;

export const insertKey = [
  `SELECT 2 AS outcome FROM consumed_tokens WHERE id = ?1;`,
  `INSERT INTO consumed_tokens (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING 0 AS outcome;`,
  `INSERT INTO attested_keys (key_id, record, counter, account, receipt, receipt_due_at, registered_at)
SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE changes() = 1
ON CONFLICT (key_id) DO NOTHING
RETURNING 1 AS outcome;`,
];

export const recordUse = [
  `SELECT CASE WHEN EXISTS (SELECT 1 FROM consumed_tokens WHERE id = ?1) THEN 2 ELSE 0 END AS outcome;`,
  `INSERT INTO consumed_tokens (id, until_time)
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

export const selectKeys = `SELECT record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at FROM attested_keys
WHERE account = ?1 AND key_id > ?2
ORDER BY key_id LIMIT ?3;`;

export const revokeKeys = `UPDATE attested_keys SET revoked_at = ?2
WHERE account = ?1 AND revoked_at IS NULL
RETURNING key_id;`;

export const claimDueReceipts = `UPDATE attested_keys SET receipt_due_at = ?2
WHERE key_id IN (
    SELECT key_id FROM attested_keys
    WHERE receipt_due_at <= ?1 AND revoked_at IS NULL
    ORDER BY receipt_due_at LIMIT ?3
)
RETURNING record, account, receipt, receipt_due_at, registered_at, last_used_at, revoked_at;`;

export const replaceReceipt = `UPDATE attested_keys SET receipt = ?3, receipt_due_at = ?4
WHERE key_id = ?1 AND receipt = ?2
RETURNING key_id;`;

export const consume = `INSERT INTO consumed_tokens (id, until_time) VALUES (?1, ?2)
ON CONFLICT (id) DO NOTHING
RETURNING id;`;

export const selectConsumed = `SELECT 1 FROM consumed_tokens WHERE id = ?1;`;

export const spendBudget = `INSERT INTO budget_periods (holder, ends_at, requests, units)
SELECT ?1, ?2, 1, ?3 WHERE ?4 >= 1 AND ?5 >= ?3
ON CONFLICT (holder, ends_at) DO UPDATE SET requests = budget_periods.requests + 1, units = budget_periods.units + ?3
WHERE budget_periods.requests + 1 <= ?4 AND budget_periods.units + ?3 <= ?5
RETURNING requests, units;`;

export const settleBudget = `UPDATE budget_periods SET units = min(max(units - ?3 + ?4, 0), 9007199254740991)
WHERE holder = ?1 AND ends_at = ?2;`;

export const selectBudget = `SELECT requests, units FROM budget_periods WHERE holder = ?1 AND ends_at = ?2;`;
