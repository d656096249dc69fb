package io.counterkit.datastore.internal.schema;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Query.CompositeFilterOperator;
import com.google.appengine.api.datastore.Query.FilterOperator;
import com.google.appengine.api.datastore.Query.FilterPredicate;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is stored; {@link ImportFormat} adds what an import stores, and nowhere else is it known. Each entity is a root
 * of its own, of one of four kinds or {@code …Import}:
 *
 * <ul>
 *   <li>{@code …Entry}: one place of a chain. Its key is computed from the name and the number, so it is its own unique
 *       key. The name's hash comes first, so that busy chains do not share a range of keys; the number comes last and
 *       counts down, so that the newest entry is the first in key order and the query for it needs no index but the
 *       built-in one of the kind.
 *   <li>{@code …Name}: a name that is present, for listing; the key says all.
 *   <li>{@code …Subject}: whether a subject of a sequence is live.
 *   <li>{@code …Token}: what a token stands for. {@code expires} is the only property that is indexed, for purging: first by the
 *       clock of the process that used the token, and then, once a purge has seen it, by the purge's; {@code seenByPurge} is
 *       the time of that.
 * </ul>
 *
 * <p>Entities of one version are read by all later ones.
 */
public final class DatastoreSchema {
    static final String NUMBER = "number";
    static final String RUN_END = "runEnd";
    static final String VALUE = "value";
    private static final String OVERFLOWN = "overflown";
    static final String CHANGE = "change";
    private static final String DELTA = "delta";
    static final String SUBJECT = "subject";
    static final String AT = "at";
    /** The token that covered an entry, for people to read and to tell adopted records. */
    public static final String TOKEN = "token";

    private static final String FORWARD = "forward";
    private static final String LIVE = "live";
    private static final String SEQUENCE = "sequence";
    private static final String MEANING = "meaning";
    private static final String NAME = "name";
    private static final String NUMBERS = "numbers";
    private static final String CHANGES = "changes";
    private static final String EXPIRES = "expires";
    private static final String SEEN_BY_PURGE = "seenByPurge";

    /** What an entry of a counter says under {@link #CHANGE}. */
    public enum CounterChange {
        ADD,
        RESET,
        DELETE,
        IMPORT
    }

    private enum Meaning {
        VOID,
        ADD,
        APPEND,
        COMMIT,
        TRANSACTION
    }

    private final Namespace namespace;
    private final String entryKind;
    private final String nameKind;
    private final String subjectKind;
    private final String tokenKind;
    private final String importKind;

    public DatastoreSchema(Namespace namespace, String kindPrefix) {
        this.namespace = namespace;
        entryKind = kindPrefix + "Entry";
        nameKind = kindPrefix + "Name";
        subjectKind = kindPrefix + "Subject";
        tokenKind = kindPrefix + "Token";
        importKind = kindPrefix + "Import";
    }

    // Keys

    public Key entryKey(ChainName chain, long number) {
        return namespace.key(
                entryKind, entryPrefix(chain) + String.format(Locale.ROOT, "%019d", Long.MAX_VALUE - number));
    }

    /** The number in the key of an entry of {@code chain}. */
    long number(ChainName chain, Key entryKey) {
        return Long.MAX_VALUE
                - Long.parseLong(entryKey.getName().substring(entryPrefix(chain).length()));
    }

    /** Ends with the name, behind its length: no two names share a prefix, whatever they hold. */
    private static String entryPrefix(ChainName chain) {
        String name = letter(chain.kind()) + (chain.name().length() + "|" + chain.name());
        return HexFormat.of().formatHex(sha256(name), 0, 2) + "|" + name + "|";
    }

    /** From the newest place of a chain down: the article's query. */
    public Query newest(ChainName chain) {
        return namespace
                .query(entryKind)
                .setFilter(CompositeFilterOperator.and(
                        keyIs(FilterOperator.GREATER_THAN_OR_EQUAL, entryKey(chain, Long.MAX_VALUE)),
                        keyIs(FilterOperator.LESS_THAN, entryKey(chain, 0))))
                .addSort(Entity.KEY_RESERVED_PROPERTY);
    }

    public Key nameKey(ChainName chain) {
        return namespace.key(nameKind, letter(chain.kind()) + "|" + chain.name());
    }

    public Key importKey(ChainName chain) {
        return namespace.key(importKind, letter(chain.kind()) + "|" + chain.name());
    }

    public String name(Key nameKey) {
        return nameKey.getName().substring(2);
    }

    /** Present names from {@code prefix} on, or after {@code cursor}; a few that do not match may come too. */
    public Query names(ChangeTarget.Kind kind, String prefix, @Nullable String cursor) {
        ChainName from = new ChainName(kind, cursor == null ? prefix : cursor);
        String end = successor(letter(kind) + "|" + prefix);
        return namespace
                .query(nameKind)
                .setKeysOnly()
                .setFilter(CompositeFilterOperator.and(
                        keyIs(
                                cursor == null ? FilterOperator.GREATER_THAN_OR_EQUAL : FilterOperator.GREATER_THAN,
                                nameKey(from)),
                        keyIs(FilterOperator.LESS_THAN, namespace.key(nameKind, end))))
                .addSort(Entity.KEY_RESERVED_PROPERTY);
    }

    /**
     * A text behind all that start with {@code prefix}, in the order of UTF-8 and in that of UTF-16: stores have either.
     * It is not the next one, so that others may lie between.
     */
    private static String successor(String prefix) {
        int last = prefix.codePointBefore(prefix.length());
        String before = prefix.substring(0, prefix.length() - Character.charCount(last));
        if (last == Character.MAX_CODE_POINT || last == Character.MAX_VALUE) {
            return successor(before);
        }
        int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
        return before + Character.toString(next);
    }

    public Key subjectKey(String sequence, String subject) {
        return namespace.key(subjectKind, hash(sequence.length() + "|" + sequence + "|" + subject));
    }

    public Key tokenKey(IdempotencyToken token) {
        return tokenKey(token.value());
    }

    private Key tokenKey(String token) {
        return namespace.key(tokenKind, hash(token));
    }

    /** Whether one of these tokens covered an entry or a seal. */
    public boolean isCoveredBy(List<Key> tokens, ChainEntry link) {
        String token = new EntityReader("entry", link.entity()).textOrNull(TOKEN);
        return token != null && tokens.contains(tokenKey(token));
    }

    /** Tokens whose retention ended before {@code moment}, keys only. */
    public Query expired(Instant moment) {
        return namespace
                .query(tokenKind)
                .setKeysOnly()
                .setFilter(new FilterPredicate(EXPIRES, FilterOperator.LESS_THAN, Date.from(moment)));
    }

    /** Whether a token is one of {@link #expired}; {@code moment} in whole milliseconds. */
    public static boolean isExpired(Entity token, Instant moment) {
        return new EntityReader("token", token).moment(EXPIRES).isBefore(moment);
    }

    /** Whether a purge has seen a token and has set the end of its retention. */
    public static boolean isSeenByPurge(Entity token) {
        return token.hasProperty(SEEN_BY_PURGE);
    }

    /** Stores in a token that a purge has seen it at {@code moment}, in whole milliseconds. */
    public static void setSeenByPurge(Entity token, Instant moment, Instant expires) {
        token.setUnindexedProperty(SEEN_BY_PURGE, Date.from(moment));
        token.setProperty(EXPIRES, Date.from(expires));
    }

    private static FilterPredicate keyIs(FilterOperator operator, Key key) {
        return new FilterPredicate(Entity.KEY_RESERVED_PROPERTY, operator, key);
    }

    private static char letter(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? 'C' : 'S';
    }

    private static String hash(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(text));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    // Entries

    public Entity entry(
            String sequence,
            AppendRequest request,
            long number,
            long liveCount,
            Instant at,
            @Nullable IdempotencyToken token) {
        Entity entry = link(ChainName.sequence(sequence), number, liveCount, at, token);
        entry.setUnindexedProperty(CHANGE, request.change().name());
        if (request.subject() != null) {
            entry.setUnindexedProperty(SUBJECT, request.subject());
        }
        entry.setUnindexedProperty(EntryFields.PROPERTY, EntryFields.encode(request.fields()));
        return entry;
    }

    public Entity counterEntry(
            String counter,
            CounterChange change,
            long delta,
            long number,
            Total total,
            Instant at,
            @Nullable IdempotencyToken token) {
        Entity entry = link(ChainName.counter(counter), number, total.value(), at, token);
        entry.setUnindexedProperty(CHANGE, change.name());
        entry.setUnindexedProperty(DELTA, delta);
        if (total.overflown()) {
            entry.setUnindexedProperty(OVERFLOWN, true);
        }
        return entry;
    }

    public Entity seal(ChainName chain, Seal seal, long number, Instant at, IdempotencyToken token) {
        Entity entity = link(chain, number, seal.liveCount(), at, token);
        entity.setUnindexedProperty(FORWARD, seal.forward());
        return entity;
    }

    private Entity link(ChainName chain, long number, long value, Instant at, @Nullable IdempotencyToken token) {
        Entity entity = new Entity(entryKey(chain, number));
        entity.setUnindexedProperty(NUMBER, number);
        entity.setUnindexedProperty(RUN_END, number);
        entity.setUnindexedProperty(VALUE, value);
        entity.setUnindexedProperty(AT, Date.from(at));
        if (token != null) {
            entity.setUnindexedProperty(TOKEN, token.value());
        }
        return entity;
    }

    /** Tells each entry of a run where the run ends. */
    public static void endRun(List<Entity> run) {
        if (!run.isEmpty()) {
            Object end = run.get(run.size() - 1).getProperty(NUMBER);
            run.forEach(entry -> entry.setUnindexedProperty(RUN_END, end));
        }
    }

    /** Blanks the fields for good; false if they are already. */
    public static boolean erase(Entity entry) {
        boolean blanked = entry.hasProperty(EntryFields.PROPERTY);
        entry.removeProperty(EntryFields.PROPERTY);
        return blanked;
    }

    /** When an entry was appended or a seal put, by the clock of the process that did. */
    public static Instant at(Entity entity) {
        return new EntityReader("entry or seal", entity).moment(AT);
    }

    public ChainEntry link(ChainName chain, Entity entity) {
        EntityReader stored = new EntityReader(chain.toString(), entity);
        long number = stored.number(NUMBER);
        if (number != number(chain, entity.getKey())) {
            throw stored.corrupt(NUMBER);
        }
        long value = stored.number(VALUE);
        String forward = stored.textOrNull(FORWARD);
        boolean absent = chain.kind() == ChangeTarget.Kind.COUNTER
                && forward == null
                && stored.oneOf(CHANGE, CounterChange.class) == CounterChange.DELETE;
        Seal seal = forward == null
                ? null
                : new Seal(forward, chain.kind() == ChangeTarget.Kind.COUNTER ? value : number - 1, value);
        return new ChainEntry(
                number, stored.number(RUN_END), value, entity.hasProperty(OVERFLOWN), absent, seal, entity);
    }

    public Entry toEntry(ChainEntry link) {
        EntityReader stored = new EntityReader("entry", link.entity());
        return new Entry(
                link.number(),
                stored.moment(AT),
                stored.oneOf(CHANGE, Change.class),
                stored.textOrNull(SUBJECT),
                EntryFields.decode(stored),
                ImportFormat.liveCount(link),
                !link.entity().hasProperty(EntryFields.PROPERTY));
    }

    // Subjects

    public Entity subject(String sequence, String subject, boolean live) {
        Entity entity = new Entity(subjectKey(sequence, subject));
        entity.setUnindexedProperty(SEQUENCE, sequence);
        entity.setUnindexedProperty(SUBJECT, subject);
        entity.setUnindexedProperty(LIVE, live);
        return entity;
    }

    public static boolean isLive(Entity subject) {
        return new EntityReader("subject", subject).flag(LIVE);
    }

    // Tokens

    public Entity token(IdempotencyToken token, TokenNote note, Instant expires) {
        Entity entity = new Entity(tokenKey(token));
        entity.setUnindexedProperty(TOKEN, token.value());
        entity.setProperty(EXPIRES, Date.from(expires));
        if (note instanceof TokenNote.Add add) {
            meaning(entity, Meaning.ADD, add.counter());
            entity.setUnindexedProperty(DELTA, add.delta());
        } else if (note instanceof TokenNote.Append append) {
            meaning(entity, Meaning.APPEND, append.sequence());
            entity.setUnindexedProperty(NUMBER, append.number());
            entity.setUnindexedProperty(CHANGE, append.change().name());
            if (append.subject() != null) {
                entity.setUnindexedProperty(SUBJECT, append.subject());
            }
        } else if (note instanceof TokenNote.Commit commit) {
            meaning(entity, Meaning.COMMIT, commit.name());
            entity.setUnindexedProperty(NUMBERS, commit.numbers());
        } else if (note instanceof TokenNote.Transaction transaction) {
            meaning(entity, Meaning.TRANSACTION, "");
            entity.setUnindexedProperty(
                    CHANGES,
                    transaction.changes().stream().map(DatastoreSchema::line).toList());
        } else {
            meaning(entity, Meaning.VOID, "");
        }
        return entity;
    }

    private static void meaning(Entity token, Meaning meaning, String name) {
        token.setUnindexedProperty(MEANING, meaning.name());
        token.setUnindexedProperty(NAME, name);
    }

    public static TokenNote note(Entity token) {
        EntityReader stored = new EntityReader("token", token);
        String name = stored.text(NAME);
        return switch (stored.oneOf(MEANING, Meaning.class)) {
            case VOID -> new TokenNote.Voided();
            case ADD -> new TokenNote.Add(name, stored.number(DELTA));
            case APPEND ->
                new TokenNote.Append(
                        name, stored.number(NUMBER), stored.oneOf(CHANGE, Change.class), stored.textOrNull(SUBJECT));
            case COMMIT -> new TokenNote.Commit(name, stored.list(NUMBERS, Long.class));
            case TRANSACTION -> {
                List<Resolution> changes = new ArrayList<>();
                for (String line : stored.list(CHANGES, String.class)) {
                    changes.add(change(stored, line));
                }
                yield new TokenNote.Transaction(changes);
            }
        };
    }

    /** {@code C 5 name} for an add of 5, {@code S 17 name} for entry 17. */
    private static String line(Resolution change) {
        if (change instanceof Resolution.Added added) {
            return "C " + added.delta() + " " + added.counter();
        }
        if (change instanceof Resolution.Appended appended) {
            return "S " + appended.number() + " " + appended.sequence();
        }
        throw new IllegalArgumentException("no change of a transaction: " + change);
    }

    private static Resolution change(EntityReader stored, String line) {
        String[] parts = line.split(" ", 3);
        try {
            long number = Long.parseLong(parts[1]);
            return parts[0].equals("C")
                    ? new Resolution.Added(parts[2], number)
                    : new Resolution.Appended(parts[2], number);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            CorruptDataException corrupt = stored.corrupt(CHANGES);
            corrupt.addSuppressed(e);
            throw corrupt;
        }
    }
}
