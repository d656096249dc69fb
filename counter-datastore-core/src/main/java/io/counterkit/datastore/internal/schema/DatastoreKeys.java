package io.counterkit.datastore.internal.schema;

import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreQuery;
import io.counterkit.spi.ChangeTarget;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The kinds and keys of the stored entities, and the queries by key. Every entity is a root entity of one of five
 * kinds:
 *
 * <ul>
 *   <li>{@code …Entry}: one place of a chain, see {@link ChainEntry}. The key is computed from the name and the number,
 *       so each number is unique. The hash of the name comes first, so that busy chains do not share a range of keys.
 *       The number comes last and counts down, so that the newest entry is the first in key order and the query for it
 *       needs only the built-in index of the kind.
 *   <li>{@code …Name}: a name that is present, for listing. It has no properties.
 *   <li>{@code …Subject}: whether a subject of a sequence is live, see {@link SubjectFormat}.
 *   <li>{@code …Token}: the change that a token was used for, see {@link TokenFormat}.
 *   <li>{@code …Import}: the imported state of a name, see {@link ImportFormat}.
 * </ul>
 *
 * <p>Later versions read the entities of all earlier ones.
 */
public final class DatastoreKeys {
    private final String entryKind;
    private final String nameKind;
    private final String subjectKind;
    private final String tokenKind;
    private final String importKind;

    public DatastoreKeys(String kindPrefix) {
        entryKind = kindPrefix + "Entry";
        nameKind = kindPrefix + "Name";
        subjectKind = kindPrefix + "Subject";
        tokenKind = kindPrefix + "Token";
        importKind = kindPrefix + "Import";
    }

    /** Returns the key of one place of a chain. */
    public StoreKey entry(ChainName chain, long number) {
        return new StoreKey(
                entryKind, entryPrefix(chain) + String.format(Locale.ROOT, "%019d", Long.MAX_VALUE - number));
    }

    /** Returns the number in the key of an entry of {@code chain}. */
    long number(ChainName chain, StoreKey entry) {
        return Long.MAX_VALUE
                - Long.parseLong(entry.name().substring(entryPrefix(chain).length()));
    }

    /**
     * Returns the start of the keys of a chain. It contains the length of the name, so that no chain's prefix starts
     * with another's.
     */
    private static String entryPrefix(ChainName chain) {
        String name = chain.letter() + (chain.name().length() + "|" + chain.name());
        return HexFormat.of().formatHex(sha256(name), 0, 2) + "|" + name + "|";
    }

    /** Returns the query for the places of a chain, the newest first: the article's query. */
    public StoreQuery newestFirst(ChainName chain) {
        return new StoreQuery.KeyRange(false, entry(chain, Long.MAX_VALUE), true, entry(chain, 0));
    }

    /** Returns the key of the entity that lists a name. */
    public StoreKey name(ChainName chain) {
        return new StoreKey(nameKind, chain.letter() + "|" + chain.name());
    }

    /** Returns the name in a key of {@link #name}. */
    public static String nameOf(StoreKey name) {
        return name.name().substring(2);
    }

    /**
     * Returns the query for present names from {@code prefix} on, or after {@code cursor}; it may find a few others.
     */
    public StoreQuery names(ChangeTarget.Kind kind, String prefix, @Nullable String cursor) {
        ChainName from = new ChainName(kind, cursor == null ? prefix : cursor);
        StoreKey end = new StoreKey(nameKind, successor(from.letter() + "|" + prefix));
        return new StoreQuery.KeyRange(true, name(from), cursor == null, end);
    }

    /**
     * Returns a text that is greater than all texts with {@code prefix}, in the order of UTF-8 and of UTF-16, since
     * stores use either. It may not be the least such text.
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
    public StoreKey subject(String sequence, String subject) {
        return new StoreKey(subjectKind, hash(sequence.length() + "|" + sequence + "|" + subject));
    }

    /** Returns the key of the marker of an import. */
    public StoreKey imported(ChainName chain) {
        return new StoreKey(importKind, chain.letter() + "|" + chain.name());
    }

    /** Returns the key of a token. */
    public StoreKey token(IdempotencyToken token) {
        return token(token.value());
    }

    /** Returns the key of the token with this value. */
    public StoreKey token(String token) {
        return new StoreKey(tokenKind, hash(token));
    }

    /**
     * Returns the query for the keys of tokens that expired before {@code moment}.
     *
     * @param from the earliest expiry to find, or null
     */
    public StoreQuery expiredTokens(@Nullable Instant from, Instant moment) {
        return new StoreQuery.Before(tokenKind, TokenFormat.EXPIRES, from, moment);
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
