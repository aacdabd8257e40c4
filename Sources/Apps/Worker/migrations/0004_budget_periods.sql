-- The former table stays for the Worker that still serves while this is applied, and for a rollback.
-- Budgets by the end of their period. The holder names the environment and the period length, so relying parties never
-- share a row.
CREATE TABLE IF NOT EXISTS budget_periods (
    holder BLOB NOT NULL,
    ends_at INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (holder, ends_at)
) STRICT;
CREATE INDEX IF NOT EXISTS budget_periods_by_end ON budget_periods (ends_at);
INSERT INTO schema_versions (version) VALUES (4) ON CONFLICT (version) DO NOTHING;
