package io.counterkit.firestore.internal.token;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The document of a token, with the change that the token was used for. Each commit creates it first, so that the
 * commit is applied only once. Creating it as {@link Kind#VOID} prevents the commit: the first creation wins.
 *
 * @param name the name of the counter or sequence; empty if there is none
 * @param delta the delta of an add with a caller's token
 * @param numbers the numbers of entries: one for an append with a caller's token; for a commit one for each of its
 *     requests, 0 for those that got no number
 */
public record TokenDocument(
        Kind kind,
        String name,
        long delta,
        List<Long> numbers,
        Change change,
        @Nullable String subject) {
    /** The field that a TTL policy reads. */
    public static final String EXPIRES = "expires";

    /** The field that names the place of the change. */
    public static final String PLACE = "place";

    private static final String TOKEN = "token";
    private static final String KIND = "kind";
    private static final String NAME = "name";
    private static final String DELTA = "delta";
    private static final String NUMBERS = "numbers";
    private static final String CHANGE = "change";
    private static final String SUBJECT = "subject";

    /** The names of all fields. */
    public static final List<String> FIELD_NAMES =
            List.of(EXPIRES, TOKEN, PLACE, KIND, NAME, DELTA, NUMBERS, CHANGE, SUBJECT);

    /** The kind of change. */
    public enum Kind {
        /** The adds of a commit. */
        ADDS,
        /** One add with a caller's token. */
        ADD,
        /** The appends of a commit. */
        APPENDS,
        /** One append with a caller's token. */
        APPEND,
        /** A reset, a deletion, an erasure or a seal. */
        DONE,
        /** A transaction of the application. */
        TRANSACTION,
        /** No change, now or later. */
        VOID
    }

    public static TokenDocument of(Kind kind, String name) {
        return new TokenDocument(kind, name, 0, List.of(), Change.ADDED, null);
    }

    public static TokenDocument ofNumbers(Kind kind, String name, List<Long> numbers) {
        return new TokenDocument(kind, name, 0, numbers, Change.ADDED, null);
    }

    public static TokenDocument of(AddRequest request) {
        return new TokenDocument(Kind.ADD, request.name(), request.delta(), List.of(), Change.ADDED, null);
    }

    public static TokenDocument of(String sequence, long number, AppendRequest request) {
        return new TokenDocument(Kind.APPEND, sequence, 0, List.of(number), request.change(), request.subject());
    }

    /** Returns whether the token was used for this add. */
    public boolean isFor(AddRequest request) {
        return equals(of(request));
    }

    /** Returns whether the token was used for this append; fields are not compared. */
    public boolean isFor(String sequence, AppendRequest request) {
        return kind == Kind.APPEND
                && name.equals(sequence)
                && change == request.change()
                && Objects.equals(subject, request.subject());
    }

    public boolean isVoid() {
        return kind == Kind.VOID;
    }

    /** Returns the failure of a change whose token was resolved as not applied. */
    public static NotAppliedException voided(String what) {
        return new NotAppliedException(what + ": its token was resolved as not applied in the meantime");
    }

    /** Returns the number of the only entry. */
    public long number() {
        return numbers.get(0);
    }

    /**
     * Returns the resolution to report. For the token of a commit, it is the resolution of the change of {@code
     * target}.
     */
    public Resolution resolution(@Nullable ChangeTarget target) {
        return switch (kind) {
            case VOID -> new Resolution.NotApplied();
            case ADD -> new Resolution.Added(name, delta);
            case APPEND -> new Resolution.Appended(name, number());
            case ADDS -> new Resolution.Done(target == null ? name : target.name());
            case DONE -> new Resolution.Done(name);
            case TRANSACTION -> new Resolution.Committed();
            case APPENDS -> {
                long number = target == null || !target.isAppend() || target.request() >= numbers.size()
                        ? 0
                        : numbers.get(target.request());
                yield number == 0 ? new Resolution.NotApplied() : new Resolution.Appended(name, number);
            }
        };
    }

    /** Returns the fields to store. */
    public Map<String, Object> toDocument(IdempotencyToken token, String place, Timestamp expires) {
        Map<String, Object> document = new HashMap<>();
        document.put(TOKEN, token.value());
        document.put(KIND, kind.name());
        document.put(PLACE, place);
        document.put(EXPIRES, expires);
        if (!name.isEmpty()) {
            document.put(NAME, name);
        }
        if (kind == Kind.ADD) {
            document.put(DELTA, delta);
        }
        if (!numbers.isEmpty()) {
            document.put(NUMBERS, numbers);
        }
        if (kind == Kind.APPEND) {
            document.put(CHANGE, change.name());
        }
        if (subject != null) {
            document.put(SUBJECT, subject);
        }
        return document;
    }

    /** Returns when a document expires; {@link Instant#MAX} if it has no expiry. */
    public static Instant expires(DocumentSnapshot document) {
        return document.get(EXPIRES) instanceof Timestamp expires ? StoreClock.toInstant(expires) : Instant.MAX;
    }

    /** Reads a document; returns null if it does not exist. */
    public static @Nullable TokenDocument of(DocumentSnapshot document) {
        if (!document.exists()) {
            return null;
        }
        try {
            String name = document.getString(NAME);
            Long delta = document.getLong(DELTA);
            String change = document.getString(CHANGE);
            Object numbers = document.get(NUMBERS);
            return new TokenDocument(
                    Kind.valueOf(String.valueOf(document.getString(KIND))),
                    name == null ? "" : name,
                    delta == null ? 0 : delta,
                    numbers instanceof List<?> list
                            ? list.stream().map(Long.class::cast).toList()
                            : List.of(),
                    change == null ? Change.ADDED : Change.valueOf(change),
                    document.getString(SUBJECT));
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new IllegalStateException( // not an outcome: the change is unknown
                    "token document '" + document.getReference().getPath() + "' was not written by CounterKit: "
                            + document.getData(),
                    e);
        }
    }
}
