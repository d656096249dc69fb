package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads whole lists of names. Their pages may be short, or empty, before the last one. */
public final class ListedNames {
    private static final int MOST_PAGES = 100_000;

    private ListedNames() {}

    /** Returns the names of all counters under a prefix. */
    public static List<String> ofCounters(Counters process, String prefix) {
        return from(null, cursor -> process.counterNames(prefix, cursor, 1000));
    }

    /** Returns the names of all sequences under a prefix. */
    public static List<String> ofSequences(Counters process, String prefix) {
        return from(null, cursor -> process.sequenceNames(prefix, cursor, 1000));
    }

    /** Returns the names of all pages after {@code start}. */
    public static List<String> from(@Nullable String start, Function<@Nullable String, NamePage> page) {
        List<String> names = new ArrayList<>();
        @Nullable String cursor = start;
        int pages = 0;
        do {
            NamePage next = page.apply(cursor);
            names.addAll(next.names());
            cursor = next.next();
            assertThat(pages++)
                    .as("the number of pages of a list, which does not seem to end")
                    .isLessThan(MOST_PAGES);
        } while (cursor != null);
        return names;
    }
}
