package io.counterkit.tck.internal.model;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Random arguments of operations: few and similar ones, so that they are used repeatedly.
 *
 * @param prefix what the names of counters and sequences start with
 * @param isLong whether names and tokens are long, so that a store may shorten them
 */
record RandomInputs(Random random, String prefix, boolean isLong) {
    private static final List<Change> CHANGES = List.of(Change.values());

    static final List<String> SUBJECTS = List.of("s", "S", "s ", "1/s");

    List<String> names() {
        return isLong ? longNames() : shortNames();
    }

    private List<String> shortNames() {
        return List.of(prefix + "/a", prefix + "/A", prefix + "/a ", prefix + "/a1", prefix + "/a/1");
    }

    /** Returns names that differ at their end, in their middle, or by their length; two have the same hash code. */
    private List<String> longNames() {
        String common = SimilarTexts.filled(prefix, Limits.MAX_NAME_BYTES - 3);
        int middle = common.length() / 2;
        return List.of(
                common + "Aa",
                common + "BB",
                common + "aA",
                common.substring(0, middle) + "y" + common.substring(middle + 1) + "Aa",
                common.substring(0, middle));
    }

    String subject() {
        return SUBJECTS.get(random.nextInt(SUBJECTS.size()));
    }

    /** Returns one of the known subjects in half of the cases, and any subject otherwise. */
    String subject(Set<String> known) {
        List<String> used = List.copyOf(known);
        return used.isEmpty() || random.nextBoolean() ? subject() : used.get(random.nextInt(used.size()));
    }

    /** Returns a change of a subject, which fits in most cases. */
    Change change(boolean isLive) {
        Change any = CHANGES.get(random.nextInt(CHANGES.size()));
        return (any == Change.ADDED) != isLive ? any : CHANGES.get(random.nextInt(CHANGES.size()));
    }

    String address() {
        return random.nextBoolean() ? "elsewhere" : "Elsewhere";
    }

    long number() {
        return random.nextBoolean() ? random.nextInt(10) : random.nextLong(-(1L << 53), 1L << 53);
    }

    /** Returns a new token, one of those that are known, or null. */
    @Nullable IdempotencyToken token(Set<IdempotencyToken> known) {
        List<IdempotencyToken> used = new ArrayList<>(known);
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> used.isEmpty() ? null : used.get(random.nextInt(used.size()));
            default -> newToken();
        };
    }

    IdempotencyToken newToken() {
        String start = isLong ? SimilarTexts.filled(prefix, Limits.MAX_TOKEN_BYTES - 30) : prefix + "/";
        return IdempotencyToken.of(start + random.nextLong());
    }
}
