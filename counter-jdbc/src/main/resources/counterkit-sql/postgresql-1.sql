-- The tables of CounterKit on PostgreSQL 14 or newer, version 1. Names compare byte by byte: COLLATE "C".
-- Another prefix than counterkit_ is an option of the backend. Replace it in the whole file.

CREATE TABLE IF NOT EXISTS counterkit_counters (
    name text COLLATE "C" PRIMARY KEY,
    total bigint NOT NULL,
    present boolean NOT NULL,
    forward text,
    sealed_at bigint
);

CREATE TABLE IF NOT EXISTS counterkit_sequences (
    name text COLLATE "C" PRIMARY KEY,
    last bigint NOT NULL,
    live bigint NOT NULL,
    forward text,
    sealed_at bigint
);

CREATE TABLE IF NOT EXISTS counterkit_entries (
    sequence text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    appended_at bigint NOT NULL,
    change text NOT NULL,
    subject text COLLATE "C",
    fields bytea NOT NULL,
    live bigint NOT NULL,
    erased boolean NOT NULL,
    PRIMARY KEY (sequence, number)
);

CREATE TABLE IF NOT EXISTS counterkit_subjects (
    subject text COLLATE "C" NOT NULL,
    sequence text COLLATE "C" NOT NULL,
    live boolean NOT NULL,
    PRIMARY KEY (sequence, subject)
);

CREATE TABLE IF NOT EXISTS counterkit_imports (
    name text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    origin text NOT NULL,
    present boolean NOT NULL,
    value bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (kind, name)
);

CREATE TABLE IF NOT EXISTS counterkit_tokens (
    token text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    name text NOT NULL,
    value bigint NOT NULL,
    numbers text,
    expires bigint NOT NULL
);

CREATE INDEX IF NOT EXISTS counterkit_tokens_expires ON counterkit_tokens (expires);

CREATE TABLE IF NOT EXISTS counterkit_version (
    version bigint PRIMARY KEY
);

INSERT INTO counterkit_version (version) VALUES (1) ON CONFLICT DO NOTHING;
