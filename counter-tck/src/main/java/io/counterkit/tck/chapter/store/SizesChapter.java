package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Limits;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapters 1 and 5, continued: more names and tokens than a page, a cache or a batch has. */
public abstract class SizesChapter extends Chapter {
    private static final int MANY = 1_100;
    private static final int FEW = 200;

    /** More than a cache holds. Used on a fast store only. */
    private static final int VERY_MANY = 11 * MANY;

    /** The longest time that a fast store takes for {@link #MANY} adds. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(150);

    @Test
    @Rule(value = "1.9", lookAt = "the largest page of a query; a cursor that is a count instead of a name")
    final void spec109_manyNamesAreListedWhileOthersComeAndGo() {
        String prefix = name() + "/";
        int many = size(MANY, FEW);
        // Names of the largest length, so that a page of names is large too.
        List<String> names = IntStream.range(0, many)
                .mapToObj(i -> SimilarTexts.filled(prefix + (1000 + i), Limits.MAX_NAME_BYTES))
                .toList();
        boolean isFast = Hundreds.change(names, this::add) < SOON / MANY;
        boolean areSequencesFast = Hundreds.change(names, this::append) < SOON / MANY;
        for (Kind kind : Kind.values()) {
            awaitLists(() ->
                    assertThat(ListedNames.of(there(), kind, prefix, 1000)).containsExactlyInAnyOrderElementsOf(names));
        }
        // On a slow store, the largest pages are read above only.
        for (int limit : isFast ? new int[] {1000, 137} : new int[] {137}) {
            for (Kind kind : Kind.values()) {
                assertThat(listedWhileNamesComeAndGo(prefix, kind, limit))
                        .as(
                                "the names listed in pages of %s, which have to contain all that were present"
                                        + " throughout",
                                limit)
                        .doesNotHaveDuplicates()
                        .containsAll(names);
            }
        }
        List<String> more = IntStream.range(0, VERY_MANY)
                .mapToObj(i -> prefix + "more " + i)
                .toList();
        if (isFast) {
            Hundreds.change(more, this::add);
            awaitVeryMany(prefix + "more ", Kind.COUNTER);
        }
        if (areSequencesFast) {
            Hundreds.change(more, this::append);
            awaitVeryMany(prefix + "more ", Kind.SEQUENCE);
        }
    }

    private void awaitVeryMany(String prefix, Kind kind) {
        awaitLists(() -> assertThat(ListedNames.of(there(), kind, prefix, 1000))
                .as("the list of very many names")
                .hasSize(VERY_MANY)
                .doesNotHaveDuplicates());
    }

    private CompletableFuture<?> add(String name) {
        return here().counter(name).async().add(1);
    }

    private CompletableFuture<?> append(String name) {
        return here().sequence(name).async().append(Map.of());
    }

    /** Lists the names while other names before and after them become present, and other counters are deleted. */
    private List<String> listedWhileNamesComeAndGo(String prefix, Kind kind, int limit) {
        List<String> names = new ArrayList<>();
        String cursor = null;
        int page = 0;
        Counter passing = here().counter(prefix + "0 gone");
        passing.add(1);
        do {
            NamePage next = ListedNames.page(there(), kind, prefix, cursor, limit);
            names.addAll(next.names());
            cursor = next.next();
            if (page++ < 4) {
                passing.delete();
                passing = here().counter(prefix + (page % 2 == 0 ? "0 come " : "9 come ") + limit + kind + page);
                passing.add(1);
                here().sequence(passing.name()).next();
            }
        } while (cursor != null);
        passing.delete();
        return names;
    }

    @Test
    @Rule(value = "5.20", lookAt = "how many tokens are kept, and where: in the store, not in a cache")
    final void spec520_manyTokensAreRemembered() {
        Counter counter = counter();
        List<IdempotencyToken> tokens = new ArrayList<>(tokens(size(MANY, FEW)));
        long start = System.nanoTime();
        addAll(counter, tokens);
        if (System.nanoTime() - start < SOON) {
            List<IdempotencyToken> more = tokens(VERY_MANY - MANY);
            addAll(counter, more);
            tokens.addAll(more);
        }
        int many = tokens.size();
        assertTotal(counter, many);
        addAll(elsewhere(counter), tokens);
        assertThat(counter.get()).as("the total after a repetition").isEqualTo(many);
        for (int i = 0; i < many; i += many / 10) {
            assertResolved(tokens.get(i), new Resolution.Added(counter.name(), 1));
        }
    }

    private static List<IdempotencyToken> tokens(int count) {
        return Stream.generate(IdempotencyToken::random).limit(count).toList();
    }

    /** Adds 1 under each token, up to {@link #MANY} at a time. */
    private static void addAll(Counter counter, List<IdempotencyToken> tokens) {
        for (int from = 0; from < tokens.size(); from += MANY) {
            awaitAll(tokens.subList(from, Math.min(from + MANY, tokens.size())).stream()
                    .map(token -> counter.async().add(1, token)));
        }
    }
}
