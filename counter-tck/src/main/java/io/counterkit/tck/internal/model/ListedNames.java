package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads whole lists of names. Their pages may be short, or empty, before the last one. */
public final class ListedNames {
    private static final int MOST_PAGES = 100_000;
    private static final int PAGE = 100;

    private ListedNames() {}

    /** Returns the names of all counters under a prefix. */
    public static List<String> ofCounters(Counters process, String prefix) {
        return of(process, Kind.COUNTER, prefix, Limits.MAX_PAGE);
    }

    /** Returns the names of all sequences under a prefix. */
    public static List<String> ofSequences(Counters process, String prefix) {
        return of(process, Kind.SEQUENCE, prefix, Limits.MAX_PAGE);
    }

    /** Returns all names of a kind under a prefix, read in pages of at most {@code limit} names. */
    public static List<String> of(Counters process, Kind kind, String prefix, int limit) {
        return from(null, cursor -> page(process, kind, prefix, cursor, limit));
    }

    /** Returns a page of the names of a kind. */
    public static NamePage page(Counters process, Kind kind, String prefix, @Nullable String cursor, int limit) {
        return kind == Kind.COUNTER
                ? process.counterNames(prefix, cursor, limit)
                : process.sequenceNames(prefix, cursor, limit);
    }

    /** Returns all names of a kind under a prefix, read below the API layer. */
    public static List<String> of(CounterBackend process, Kind kind, String prefix, Supplier<? extends Call> calls) {
        return from(
                null,
                cursor -> (kind == Kind.COUNTER
                                ? process.counters().names(prefix, cursor, PAGE, calls.get())
                                : process.sequences().names(prefix, cursor, PAGE, calls.get()))
                        .join());
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
