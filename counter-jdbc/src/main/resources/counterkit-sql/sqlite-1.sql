-- The tables of CounterKit on SQLite, version 1. Names compare byte by byte, as they do by default. STRICT keeps the types.
-- Another prefix than counterkit_ is an option of the backend. Replace it in the whole file.

CREATE TABLE IF NOT EXISTS counterkit_counters (
    name TEXT PRIMARY KEY,
    total INTEGER NOT NULL,
    present INTEGER NOT NULL,
    forward TEXT,
    sealed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS counterkit_sequences (
    name TEXT PRIMARY KEY,
    last INTEGER NOT NULL,
    live INTEGER NOT NULL,
    forward TEXT,
    sealed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS counterkit_entries (
    sequence TEXT NOT NULL,
    number INTEGER NOT NULL,
    appended_at INTEGER NOT NULL,
    change TEXT NOT NULL,
    subject TEXT,
    fields BLOB NOT NULL,
    live INTEGER NOT NULL,
    erased INTEGER NOT NULL,
    PRIMARY KEY (sequence, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS counterkit_subjects (
    subject TEXT NOT NULL,
    sequence TEXT NOT NULL,
    live INTEGER NOT NULL,
    PRIMARY KEY (sequence, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS counterkit_imports (
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT NOT NULL,
    present INTEGER NOT NULL,
    value INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS counterkit_tokens (
    token TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value INTEGER NOT NULL,
    numbers TEXT,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS counterkit_tokens_expires ON counterkit_tokens (expires);

CREATE TABLE IF NOT EXISTS counterkit_version (
    version INTEGER PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO counterkit_version (version) VALUES (1) ON CONFLICT DO NOTHING;
