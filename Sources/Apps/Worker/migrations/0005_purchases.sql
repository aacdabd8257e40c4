-- Purchases and the keys that use them: the article "SQL stores" of PureAttestServer.
CREATE TABLE IF NOT EXISTS purchase_rows (
    name BLOB PRIMARY KEY NOT NULL,
    value BLOB NOT NULL
) STRICT;
INSERT INTO schema_versions (version) VALUES (5) ON CONFLICT (version) DO NOTHING;
