package io.counterkit.datastore.internal.schema;

import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.datastore.internal.store.StoreEntity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The stored form of a {@link TokenNote}. The property {@code expires} is the end of the retention, and the only
 * indexed property. It follows the clock of the process that used the token, until a purge finds the token expired.
 * That purge stores the time in {@code seenByPurge}, and a new end of the retention by its own clock.
 */
public final class TokenFormat {
    static final String EXPIRES = "expires";
    private static final String SEEN_BY_PURGE = "seenByPurge";
    private static final String MEANING = "meaning";
    private static final String NAME = "name";
    private static final String NUMBERS = "numbers";
    private static final String CHANGES = "changes";

    private enum Meaning {
        VOID,
        ADD,
        APPEND,
        COMMIT,
        TRANSACTION
    }

    private TokenFormat() {}

    /** Creates the entity of a token. */
    public static StoreEntity entity(DatastoreKeys keys, IdempotencyToken token, TokenNote note, Instant expires) {
        StoreEntity entity = new StoreEntity(keys.token(token));
        entity.set(ChainEntry.TOKEN, token.value());
        entity.setIndexed(EXPIRES, expires.truncatedTo(ChronoUnit.MILLIS));
        if (note instanceof TokenNote.Add add) {
            setMeaning(entity, Meaning.ADD, add.counter());
            entity.set(ChainEntry.DELTA, add.delta());
        } else if (note instanceof TokenNote.Append append) {
            setMeaning(entity, Meaning.APPEND, append.sequence());
            entity.set(ChainEntry.NUMBER, append.number());
            entity.set(ChainEntry.CHANGE, append.change().name());
            if (append.subject() != null) {
                entity.set(ChainEntry.SUBJECT, append.subject());
            }
        } else if (note instanceof TokenNote.Commit commit) {
            setMeaning(entity, Meaning.COMMIT, commit.name());
            entity.set(NUMBERS, commit.numbers());
        } else if (note instanceof TokenNote.Transaction transaction) {
            setMeaning(entity, Meaning.TRANSACTION, "");
            entity.set(
                    CHANGES,
                    transaction.changes().stream().map(TokenFormat::line).toList());
        } else {
            setMeaning(entity, Meaning.VOID, "");
        }
        return entity;
    }

    private static void setMeaning(StoreEntity token, Meaning meaning, String name) {
        token.set(MEANING, meaning.name());
        token.set(NAME, name);
    }

    /** Reads the note of a stored token. */
    public static TokenNote read(StoreEntity token) {
        EntityReader stored = new EntityReader("token", token);
        String name = stored.text(NAME);
        return switch (stored.oneOf(MEANING, Meaning.class)) {
            case VOID -> new TokenNote.Voided();
            case ADD -> new TokenNote.Add(name, stored.number(ChainEntry.DELTA));
            case APPEND ->
                new TokenNote.Append(
                        name,
                        stored.number(ChainEntry.NUMBER),
                        stored.oneOf(ChainEntry.CHANGE, Change.class),
                        stored.textOrNull(ChainEntry.SUBJECT));
            case COMMIT -> new TokenNote.Commit(name, stored.list(NUMBERS, Long.class));
            case TRANSACTION ->
                new TokenNote.Transaction(stored.list(CHANGES, String.class).stream()
                        .map(line -> change(stored, line))
                        .toList());
        };
    }

    /** Returns {@code C 5 name} for an add of 5, {@code S 17 name} for entry 17. */
    private static String line(Resolution change) {
        if (change instanceof Resolution.Added added) {
            return "C " + added.delta() + " " + added.counter();
        }
        if (change instanceof Resolution.Appended appended) {
            return "S " + appended.number() + " " + appended.sequence();
        }
        throw new IllegalArgumentException("not a change of a transaction: " + change);
    }

    private static Resolution change(EntityReader stored, String line) {
        String[] words = line.split(" ", 3);
        try {
            long number = Long.parseLong(words[1]);
            return words[0].equals("C")
                    ? new Resolution.Added(words[2], number)
                    : new Resolution.Appended(words[2], number);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            CorruptDataException corrupt = stored.corrupt(CHANGES);
            corrupt.addSuppressed(e);
            throw corrupt;
        }
    }

    /** Returns when the retention of a stored token ends. */
    public static Instant expiry(StoreEntity token) {
        return new EntityReader("token", token).moment(EXPIRES);
    }

    /** Returns whether the retention of a stored token ended before {@code moment}, which is in whole milliseconds. */
    public static boolean isExpired(StoreEntity token, Instant moment) {
        return expiry(token).isBefore(moment);
    }

    /** Returns whether a purge has seen a token and set the end of its retention. */
    public static boolean isSeenByPurge(StoreEntity token) {
        return token.has(SEEN_BY_PURGE);
    }

    /** Stores that a purge has seen a token at {@code moment}, in whole milliseconds. */
    public static void setSeenByPurge(StoreEntity token, Instant moment, Instant expires) {
        token.set(SEEN_BY_PURGE, moment);
        token.setIndexed(EXPIRES, expires);
    }
}
