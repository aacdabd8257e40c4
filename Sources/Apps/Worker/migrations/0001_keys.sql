-- Keys and consumed tokens: the article "SQL stores" of PureAttestServer.
CREATE TABLE IF NOT EXISTS attested_keys (
    key_id BLOB PRIMARY KEY NOT NULL,
    record BLOB NOT NULL,
    counter INTEGER NOT NULL,
    account BLOB,
    receipt BLOB NOT NULL,
    receipt_due_at INTEGER,
    registered_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS attested_keys_by_account ON attested_keys (account, key_id);
CREATE INDEX IF NOT EXISTS attested_keys_by_receipt ON attested_keys (receipt_due_at);
CREATE TABLE IF NOT EXISTS consumed_tokens (
    id BLOB PRIMARY KEY NOT NULL,
    until_time INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS consumed_tokens_by_time ON consumed_tokens (until_time);
CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY NOT NULL) STRICT;
INSERT INTO schema_versions (version) VALUES (1) ON CONFLICT (version) DO NOTHING;
