package io.counterkit.internal.batch;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Limits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A token that was made here and handed out by an outcome-unknown exception. It tells all that is needed to ask the
 * store later on, from any process: which token the commit carried, and where the change went. Of the requests that
 * share a commit each has its own, told apart by {@code index}, so that each can be repeated by itself.
 *
 * @param kind what was done
 * @param id the commit's token without its prefix
 * @param index which of the callers' adds, or which of the append requests; 0 for other kinds
 * @param delta of an add; 0 for other kinds
 * @param name of the counter or sequence
 */
public record GeneratedToken(Kind kind, String id, int index, long delta, String name) {
    private static final Pattern FORM = Pattern.compile(
            Commit.TOKEN_PREFIX + "([aecs]):([A-Za-z0-9_-]{22}):(\\d{1,9}):(-?\\d{1,16}):(.+)", Pattern.DOTALL);

    /** What the change was. */
    public enum Kind {
        /** An add. */
        ADD('a'),
        /** An append. */
        APPEND('e'),
        /** Another change of a counter. */
        COUNTER('c'),
        /** Another change of a sequence. */
        SEQUENCE('s');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        private static Kind of(char letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            throw new AssertionError(letter);
        }
    }

    /** The minted token of an add that is member {@code index} of a commit. */
    public static GeneratedToken add(Commit commit, int index, String name, long delta) {
        return new GeneratedToken(Kind.ADD, idOf(commit.token()), index, delta, name);
    }

    /** The minted token of an append that is request {@code index} of a commit. */
    public static GeneratedToken append(Commit commit, int index, String sequence) {
        return new GeneratedToken(Kind.APPEND, idOf(commit.token()), index, 0, sequence);
    }

    /** The minted token of another change. */
    public static GeneratedToken other(Commit commit, ChangeTarget target) {
        Kind kind = target.kind() == ChangeTarget.Kind.COUNTER ? Kind.COUNTER : Kind.SEQUENCE;
        return new GeneratedToken(kind, idOf(commit.token()), 0, 0, target.name());
    }

    private static String idOf(IdempotencyToken commitToken) {
        return commitToken.value().substring(Commit.TOKEN_PREFIX.length());
    }

    /**
     * Reads a token that was handed out; null for a caller's own.
     *
     * @throws IllegalArgumentException if it looks like one of ours and is none
     */
    public static @Nullable GeneratedToken parse(IdempotencyToken token) {
        if (!token.value().startsWith(Commit.TOKEN_PREFIX)) {
            return null;
        }
        Matcher form = FORM.matcher(token.value());
        if (!form.matches()) {
            throw new IllegalArgumentException("token '" + token + "' starts with '" + Commit.TOKEN_PREFIX
                    + "' like those that CounterKit hands out, and is none: let yours start with something else");
        }
        return new GeneratedToken(
                Kind.of(form.group(1).charAt(0)),
                form.group(2),
                Integer.parseInt(form.group(3)),
                Limits.checkDelta(Long.parseLong(form.group(4))),
                Limits.checkName("name in token", form.group(5)));
    }

    /** What is handed out. */
    public IdempotencyToken toToken() {
        return IdempotencyToken.of(
                Commit.TOKEN_PREFIX + kind.letter + ":" + id + ":" + index + ":" + delta + ":" + name);
    }

    /** The token of the commit, which the store was given. */
    public IdempotencyToken commitToken() {
        return IdempotencyToken.of(Commit.TOKEN_PREFIX + id);
    }

    /** Where the change went. */
    public ChangeTarget target() {
        return switch (kind) {
            case ADD, COUNTER -> ChangeTarget.counter(name);
            case APPEND -> ChangeTarget.append(name, index);
            case SEQUENCE -> ChangeTarget.sequence(name);
        };
    }
}
