package io.counterkit.verification.tables;

import java.util.Set;

/** The mistakes. */
public enum Mistake {
    NONE("is right"),
    LONG_NAMES_ABBREVIATED("drops the middle of long names of counters", "1.3", "9.6"),
    LONG_NAMES_HASHED("stores long names of counters by a hash of 32 bits", "1.3", "9.6"),
    LONG_NAMES_FOLDED("ignores the case of long names of counters", "9.6"),
    LONG_TOKENS_ABBREVIATED("drops the middle of long tokens", "5.19"),
    LONG_TOKENS_HASHED("stores long tokens by a hash of 32 bits", "5.19"),
    LONG_TOKENS_FOLDED("ignores the case of long tokens", "5.19"),
    LONG_SUBJECTS_ABBREVIATED("drops the middle of long subjects", "10.15"),
    LONG_SUBJECTS_HASHED("stores long subjects by a hash of 32 bits", "10.15"),
    LONG_SUBJECTS_FOLDED("ignores the case of long subjects", "10.15"),
    SEALS_FOLD_CASE("ignores the case of names in the table of seals", "4.8"),
    SEALS_TRIMMED("drops trailing blanks of names in the table of seals", "4.8"),
    SEALS_OF_BOTH_KINDS("keeps the seals of counters and sequences under one key", "4.8"),
    IMPORTS_FOLD_CASE("ignores the case of names in the table of imports", "4.8"),
    IMPORTS_CUT("cuts names in the table of imports", "4.8"),
    IMPORTS_OF_BOTH_KINDS("keeps the imports of counters and sequences under one key", "13.2"),
    IMPORTED_SUBJECTS_JOINED("joins the sequence and an imported subject into one ambiguous key", "10.15"),
    ENTRY_KEYS_JOINED("joins the sequence and the number of an entry into one ambiguous key", "9.4"),
    SHARDS_SHARE_NAMES("joins the name and the number of a shard into one ambiguous key", "9.2"),
    NAMES_OF_TOKENS_CUT("cuts the name that is stored with a token", "9.6"),
    NAMES_OF_TOKENS_FOLDED("ignores the case of the name that is stored with a token", "9.6"),
    NUMBERS_OF_TOKENS_IN_32_BITS("stores the number of an append with 32 bits in its token", "6.7"),
    ADDRESSES_CUT("cuts the address of a seal", "11.11"),
    ADDRESSES_TRIMMED("drops blanks around the address of a seal", "11.11"),
    ORIGINS_CUT("cuts the origin of an import", "13.15"),
    TOP_PREFIX_IS_A_PATTERN("takes the prefix of the largest counters for a pattern", "3.17"),
    TOP_PREFIX_IGNORES_CASE("ignores the case of the prefix of the largest counters", "3.17"),
    TOP_OF_FIRST_100("looks for the largest counters among the first 100 names", "3.17"),
    TOP_100_AT_MOST("returns no more than 100 of the largest counters", "3.17"),
    TOP_WITHOUT_IMPORT("ranks counters without their imported totals", "4.8"),
    TOP_WITHOUT_SEALED("omits sealed counters from the largest", "4.8"),
    EMPTY_PREFIX_LISTS_NOTHING("lists no names for an empty prefix", "1.5"),
    LISTS_5000_NAMES("lists no more than 5,000 counters", "1.9"),
    LISTS_LIVE_SEQUENCES("omits sequences without a live subject from its lists", "1.6"),
    LISTS_SEQUENCES_WITH_FIELDS("omits sequences whose entries were all erased from its lists", "1.6"),
    ZERO_IS_DELETED("deletes a counter whose total returns to 0", "4.8"),
    ZERO_IS_ABSENT("reports a counter with total 0 as absent", "13.10"),
    NO_LIVE_SUBJECT_IS_ABSENT("reports a sequence without a live subject as absent", "13.10"),
    RANGES_OVERFLOW("overflows at a range near the largest number", "10.4"),
    TEXTS_CUT("cuts long texts", "10.11"),
    BYTES_BLANKED("blanks the end of long byte arrays", "10.11"),
    EMPTY_FIELDS_ARE_ERASED("returns an entry without fields as erased", "10.13"),
    TOKEN_CONFLICT_LOSES_BATCH("ignores that a conflict of tokens has ended the transaction", "4.5"),
    ENTRIES_IN_LOCAL_TIME("stores the time of an entry in local time", "10.22"),
    READINGS_IN_LOCAL_TIME("returns the time of a reading in local time", "3.4"),
    SEALED_AT_IN_SECONDS("stores the time of a seal in seconds and reads it as milliseconds", "13.10"),
    SEALED_LIVE_COUNT_IN_32_BITS("stores the live count of a seal with 32 bits", "6.7"),
    SEAL_COUNTS_OWN_ENTRIES("seals an imported sequence at the number of its own entries", "6.7"),
    SEAL_WITHOUT_IMPORT("seals a counter without its imported total", "4.8"),
    RESET_KEEPS_IMPORT("resets an imported counter to its imported total", "13.1"),
    UPDATED_SUBJECT_IS_NOT_LIVE("reports an updated subject as not live", "4.8"),
    ERASING_FORGETS_SUBJECT("forgets the subject of an erased entry", "4.8"),
    TOKENS_EXPIRE_SOON("forgets tokens after a second", "5.22"),
    TOKENS_IN_A_SMALL_CACHE("remembers no more than 5,000 tokens", "5.20"),
    LARGE_BATCHES_CUT("drops what a batch contains beyond a megabyte", "10.21"),
    RESOLVE_OVERWRITES("looks for a token in a separate step before it voids the token", "4.6"),
    VOID_LOST("ignores that the decision about a token was not stored", "5.21"),
    COMMIT_UNRESOLVED_IN_OUTAGE("resolves a commit as not applied if the store does not answer", "7.14"),
    STALE_READ_IS_ZERO("reads 0 with a staleness bound if the store does not answer", "7.14"),
    RESENT_A_SECOND_LATER("sends a failed add again a second later", "5.22"),
    BATCH_REPEATED_AS_APPLIED("reports all of a repeated batch as applied, also what was refused", "7.11"),
    APPEND_BATCH_REPEATED_AS_APPLIED(
            "reports all of a repeated batch of appends as applied, also what was refused", "7.11"),
    ADD_READS_THEN_WRITES("reads a total and writes the sum in another transaction", "4.6"),
    APPEND_READS_THEN_WRITES("reads the last number and writes the next one in another transaction", "4.7"),
    ADD_CHECKS_SEAL_FIRST("looks for a seal in a separate step before it adds", "4.6"),
    APPEND_CHECKS_SEAL_FIRST("looks for a seal in a separate step before it appends", "4.7"),
    RESET_CHECKS_SEAL_FIRST("looks for a seal in a separate step before it resets", "4.6"),
    DELETE_CHECKS_SEAL_FIRST("looks for a seal in a separate step before it deletes", "4.6"),
    SEAL_OVERWRITES("looks for a seal of a counter in a separate step before it stores one", "4.6"),
    SEAL_READS_FIRST("reads the total in a separate step before it seals", "4.6"),
    SEQUENCE_SEAL_OVERWRITES("looks for a seal of a sequence in a separate step before it stores one", "4.7"),
    SEQUENCE_SEAL_READS_FIRST("reads the tail in a separate step before it seals", "4.7"),
    IMPORT_CHECKS_FIRST("looks for a name in a separate step before it imports", "4.6", "4.7"),
    SUBJECT_CHECKED_FIRST("looks for a subject in a separate step before it imports", "4.7"),
    BATCH_CHECKS_TOKENS_FIRST("looks for the tokens of several appends in a separate step before it appends", "4.9"),
    BATCH_CHECKS_SEAL_FIRST("looks for a seal in a separate step before it appends several entries", "4.9"),
    BATCH_CHECKS_SUBJECTS_FIRST("looks for the subjects of several appends in a separate step", "4.9"),
    TOKEN_OF_ANOTHER_NAME_CHECKED_FIRST("looks for a token of another name in a separate step", "4.10"),
    COMMITS_EXPIRE_SOON("forgets the tokens of commits after a second", "5.22"),
    DECIDED_COMMITS_EXPIRE_SOON(
            "forgets after a second that the token of a commit was resolved as not applied", "5.22"),
    LEAKS_ON_SEALED_ADD("keeps a connection for each refused add", "7.19"),
    LEAKS_ON_REFUSED_APPEND("keeps a connection for each refused append", "7.19"),
    LEAKS_ON_REFUSED_RESET("keeps a connection for each refused reset", "7.19"),
    LEAKS_ON_REFUSED_SEAL("keeps a connection for each refused seal", "7.19"),
    LEAKS_ON_REFUSED_ERASURE("keeps a connection for each erasure of an absent entry", "7.19"),
    LEAKS_ON_REFUSED_IMPORT("keeps a connection for each refused import", "7.19"),
    LEAKS_ON_REFUSED_COPY("keeps a connection for each refused copy", "7.19"),
    LEAKS_ON_FAILED_LIST("keeps a connection for each failed list", "7.19"),
    LEAKS_ON_FAILED_RESOLUTION("keeps a connection for each failed resolution", "7.19"),
    LEAKS_ON_FAILED_STATES("keeps a connection for each failed read of states", "7.19"),
    LEAKS_ON_FAILED_TOP("keeps a connection for each failed list of the largest", "7.19"),
    LEAKS_ON_FAILED_DELETION("keeps a connection for each failed deletion", "7.19");

    private final String does;
    private final String breaks;

    Mistake(String does, String... breaks) {
        this.does = does;
        this.breaks = String.join(" ", breaks);
    }

    /** Returns the rules that must fail. */
    public Set<String> breaks() {
        return breaks.isEmpty() ? Set.of() : Set.of(breaks.split(" "));
    }

    /** Returns whether a call of this kind keeps its connection if it fails. */
    boolean leaks(String call) {
        String leaking = switch (this) {
            case LEAKS_ON_SEALED_ADD -> "adding";
            case LEAKS_ON_REFUSED_APPEND -> "appending";
            case LEAKS_ON_REFUSED_RESET -> "resetting";
            case LEAKS_ON_REFUSED_SEAL -> "sealing";
            case LEAKS_ON_REFUSED_ERASURE -> "erasing";
            case LEAKS_ON_REFUSED_IMPORT -> "importing";
            case LEAKS_ON_REFUSED_COPY -> "copying";
            case LEAKS_ON_FAILED_LIST -> "listing";
            case LEAKS_ON_FAILED_RESOLUTION -> "resolving";
            case LEAKS_ON_FAILED_STATES -> "reading states";
            case LEAKS_ON_FAILED_TOP -> "ranking";
            case LEAKS_ON_FAILED_DELETION -> "deleting";
            default -> null;
        };
        return leaking != null && call.startsWith(leaking);
    }

    /** Returns what the backend does, as a phrase after "a backend that". */
    @Override
    public String toString() {
        return does;
    }
}
