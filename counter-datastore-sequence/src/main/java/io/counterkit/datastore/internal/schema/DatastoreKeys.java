package io.counterkit.datastore.internal.schema;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Query.CompositeFilterOperator;
import com.google.appengine.api.datastore.Query.FilterOperator;
import com.google.appengine.api.datastore.Query.FilterPredicate;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.spi.ChangeTarget;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The kinds and keys of what is stored, and the queries by key. Every entity is a root entity of one of five kinds:
 *
 * <ul>
 *   <li>{@code …Entry}: one place of a chain, see {@link ChainEntry}. The key is computed from the name and the number,
 *       so each number is unique. The hash of the name comes first, so that busy chains do not share a range of keys. The
 *       number comes last and counts down, so that the newest entry is the first in key order and the query for it
 *       needs only the built-in index of the kind.
 *   <li>{@code …Name}: a name that is present, for listing. The key says all.
 *   <li>{@code …Subject}: whether a subject of a sequence is live, see {@link SubjectFormat}.
 *   <li>{@code …Token}: what a token stands for, see {@link TokenFormat}.
 *   <li>{@code …Import}: what a name was imported with, see {@link ImportFormat}.
 * </ul>
 *
 * <p>Later versions read the entities of all earlier ones.
 */
public final class DatastoreKeys {
    private final Namespace namespace;
    private final String entryKind;
    private final String nameKind;
    private final String subjectKind;
    private final String tokenKind;
    private final String importKind;

    public DatastoreKeys(Namespace namespace, String kindPrefix) {
        this.namespace = namespace;
        entryKind = kindPrefix + "Entry";
        nameKind = kindPrefix + "Name";
        subjectKind = kindPrefix + "Subject";
        tokenKind = kindPrefix + "Token";
        importKind = kindPrefix + "Import";
    }

    /** Returns the key of one place of a chain. */
    public Key entry(ChainName chain, long number) {
        return namespace.key(
                entryKind, entryPrefix(chain) + String.format(Locale.ROOT, "%019d", Long.MAX_VALUE - number));
    }

    /** Returns the number in the key of an entry of {@code chain}. */
    long number(ChainName chain, Key entry) {
        return Long.MAX_VALUE
                - Long.parseLong(entry.getName().substring(entryPrefix(chain).length()));
    }

    /** The length of the name comes before it, so that no name's prefix is the prefix of another name's. */
    private static String entryPrefix(ChainName chain) {
        String name = chain.letter() + (chain.name().length() + "|" + chain.name());
        return HexFormat.of().formatHex(sha256(name), 0, 2) + "|" + name + "|";
    }

    /** Returns the query for the places of a chain, the newest first: the article's query. */
    public Query newestFirst(ChainName chain) {
        return inKeyOrder(
                entryKind, FilterOperator.GREATER_THAN_OR_EQUAL, entry(chain, Long.MAX_VALUE), entry(chain, 0));
    }

    private Query inKeyOrder(String kind, FilterOperator fromOperator, Key from, Key end) {
        String key = Entity.KEY_RESERVED_PROPERTY;
        return namespace
                .query(kind)
                .setFilter(CompositeFilterOperator.and(
                        new FilterPredicate(key, fromOperator, from),
                        new FilterPredicate(key, FilterOperator.LESS_THAN, end)))
                .addSort(key);
    }

    /** Returns the key of the entity that lists a name. */
    public Key name(ChainName chain) {
        return namespace.key(nameKind, chain.letter() + "|" + chain.name());
    }

    /** Returns the name in a key of {@link #name}. */
    public static String nameOf(Key name) {
        return name.getName().substring(2);
    }

    /** Returns the query for present names from {@code prefix} on, or after {@code cursor}; it may find a few others. */
    public Query names(ChangeTarget.Kind kind, String prefix, @Nullable String cursor) {
        ChainName from = new ChainName(kind, cursor == null ? prefix : cursor);
        FilterOperator operator = cursor == null ? FilterOperator.GREATER_THAN_OR_EQUAL : FilterOperator.GREATER_THAN;
        Key end = namespace.key(nameKind, successor(from.letter() + "|" + prefix));
        return inKeyOrder(nameKind, operator, name(from), end).setKeysOnly();
    }

    /**
     * Returns a text that comes after all texts with {@code prefix}, in the order of UTF-8 and of UTF-16, since stores
     * have either. It is not the next one: others may lie between.
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

    /** Returns the key of a subject of a sequence. */
    public Key subject(String sequence, String subject) {
        return namespace.key(subjectKind, hash(sequence.length() + "|" + sequence + "|" + subject));
    }

    /** Returns the key of the marker of an import. */
    public Key imported(ChainName chain) {
        return namespace.key(importKind, chain.letter() + "|" + chain.name());
    }

    /** Returns the key of a token. */
    public Key token(IdempotencyToken token) {
        return token(token.value());
    }

    /** Returns the key of the token with this value. */
    public Key token(String token) {
        return namespace.key(tokenKind, hash(token));
    }

    /** Returns the query for the keys of tokens that expired before {@code moment}. */
    public Query expiredTokens(Instant moment) {
        return namespace
                .query(tokenKind)
                .setKeysOnly()
                .setFilter(new FilterPredicate(TokenFormat.EXPIRES, FilterOperator.LESS_THAN, Date.from(moment)));
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
}
