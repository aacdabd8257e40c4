-- Rate limits for which the platform has no limiter (limits.mjs).
CREATE TABLE IF NOT EXISTS allowances (
    name BLOB PRIMARY KEY NOT NULL,
    level INTEGER NOT NULL,
    time INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS allowances_by_time ON allowances (time);
INSERT INTO schema_versions (version) VALUES (2) ON CONFLICT (version) DO NOTHING;
