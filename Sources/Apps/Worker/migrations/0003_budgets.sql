-- The budget usage of keys or accounts (budget.mjs).
CREATE TABLE IF NOT EXISTS budgets (
    holder BLOB NOT NULL,
    period INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (holder, period)
) STRICT;
CREATE INDEX IF NOT EXISTS budgets_by_period ON budgets (period);
INSERT INTO schema_versions (version) VALUES (3) ON CONFLICT (version) DO NOTHING;
