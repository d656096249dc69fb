package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.ListedNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 1, continued: the cursors of lists. */
public abstract class CursorsChapter extends Chapter {
    /** Endings of names whose order differs between bytes, characters and collations, and of names with separators. */
    private static final List<String> ENDINGS = List.of(
            "A",
            "a",
            "a ",
            "aB",
            "ab",
            "Z",
            "z",
            "\u00e9",
            "e\u0301",
            "\uff41",
            "\uffff",
            "\ud83d\ude00",
            "%",
            "/b/c",
            "c|d",
            "c:d",
            "c,d",
            "c;d",
            "c#d",
            "c+d",
            "c&d",
            "c=d",
            "c%20d",
            "c\\d");

    /** A divisor of the number of names, so that there are further pages, and the last one is full. */
    private static final int FIRST_PAGE = 5;

    /** How many changes are made before a list is continued. */
    private static final int MANY = 1_500;

    private static final int FEW = 60;

    @Test
    @Rule(
            value = "1.10",
            lookAt = "what a cursor stands for: a position in the list, not an open query, a name that has to exist, a"
                    + " time, or state that one process keeps; whether the store orders names in the way in which"
                    + " a cursor is compared with them; a page whose names are all absent")
    final void spec110_cursorIsAPlaceAmongTheNames() {
        String prefix = name() + "/";
        List<String> names = ENDINGS.stream().map(ending -> prefix + ending).toList();
        List<CompletableFuture<?>> changes = new ArrayList<>();
        for (String name : names) {
            changes.add(here().counter(name).async().add(1));
            changes.add(here().sequence(name).async().append(Map.of()));
        }
        String other = name() + "/";
        for (String ending : List.of("a", "b", "c")) {
            changes.add(here().counter(other + ending).async().add(1));
            changes.add(here().sequence(other + ending).async().append(Map.of()));
        }
        changes.forEach(CompletableFuture::join);
        leaveAbsent(prefix);
        for (Kind kind : Kind.values()) {
            awaitLists(() -> {
                assertThat(ListedNames.of(here(), kind, prefix, 100)).containsExactlyInAnyOrderElementsOf(names);
                assertThat(ListedNames.of(here(), kind, other, 100)).hasSize(3);
            });
            for (int limit : new int[] {1, 2, 3, FIRST_PAGE}) {
                assertThat(ListedNames.of(here(), kind, prefix, limit))
                        .as("the names listed in pages of %s", limit)
                        .containsExactlyInAnyOrderElementsOf(names);
            }
            NamePage first = ListedNames.page(here(), kind, prefix, null, FIRST_PAGE);
            List<String> rest = new ArrayList<>(names);
            rest.removeAll(first.names());
            assertThat(ListedNames.of(here(), kind, other, 1))
                    .as("the names of another list, read before the rest of this one")
                    .hasSize(3);
            assertRest("in the same process, after another list was read", here(), kind, prefix, first, 1, rest);
            assertRest("again, in larger pages", here(), kind, prefix, first, 1000, rest);
            assertRest("in another process", there(), kind, prefix, first, 3, rest);
            assertRestAfterClose(kind, prefix, names);
            awaitAll(names.stream()
                    .<CompletableFuture<?>>map(name -> kind == Kind.COUNTER
                            ? here().counter(name).async().add(1)
                            : here().sequence(name).async().append(Map.of())));
            changeOften();
            assertRest("after a change of each name, and others", there(), kind, prefix, first, 2, rest);
            if (kind == Kind.COUNTER) {
                assertRestAfterDeletions(prefix, first, rest);
            }
        }
    }

    /** Makes more changes than a store keeps old states of its data for. */
    private void changeOften() {
        Counter counter = counter();
        awaitAll(Stream.generate(IdempotencyToken::random)
                .limit(timeBox.isFast() ? size(MANY, FEW) : FEW)
                .map(token -> counter.async().add(1, token))); // so that they are not merged
    }

    /** Resolves, seals and imports counters in ways that leave them absent. */
    private void leaveAbsent(String prefix) {
        CounterBackend backend = backend();
        for (String ending : List.of("0", "aa", "\uff42")) {
            ChangeTarget resolved = ChangeTarget.counter(prefix + "resolved" + ending);
            backend.resolve(commit().token(), resolved, commit()).join();
            if (declares(Capability.SEAL_COUNTERS)) {
                here().counter(prefix + ending + "sealed").seal("elsewhere");
            }
            if (declares(Capability.IMPORT)) {
                ImportedState absent = new ImportedState("elsewhere", false, 0, 0);
                backend.migration()
                        .importBase(Kind.COUNTER, prefix + ending + "imported", absent, commit())
                        .join();
            }
        }
    }

    /** Checks that another process continues a list after the process that read the first page was closed. */
    private void assertRestAfterClose(Kind kind, String prefix, List<String> names) {
        Counters process = connect();
        NamePage first = ListedNames.page(process, kind, prefix, null, FIRST_PAGE);
        process.close();
        List<String> rest = new ArrayList<>(names);
        rest.removeAll(first.names());
        assertRest("after the process that read the first page was closed", there(), kind, prefix, first, 3, rest);
    }

    /**
     * Checks that a list continues after the names of its first page were deleted, and after they became present again.
     */
    private void assertRestAfterDeletions(String prefix, NamePage first, List<String> rest) {
        first.names().forEach(name -> here().counter(name).delete());
        awaitLists(() -> assertThat(ListedNames.of(there(), Kind.COUNTER, prefix, 100))
                .containsExactlyInAnyOrderElementsOf(rest));
        assertRest("after the deletion of the first page", there(), Kind.COUNTER, prefix, first, 3, rest);
        for (int limit : new int[] {1, FIRST_PAGE}) {
            awaitLists(() -> assertThat(ListedNames.of(there(), Kind.COUNTER, prefix, limit))
                    .as("the names listed in pages of %s after the first ones were deleted", limit)
                    .containsExactlyInAnyOrderElementsOf(rest));
        }
        first.names().forEach(name -> here().counter(name).add(1));
        assertRest("after the first page was deleted and added to", there(), Kind.COUNTER, prefix, first, 3, rest);
    }

    private static void assertRest(
            String how, Counters process, Kind kind, String prefix, NamePage first, int limit, List<String> rest) {
        assertThat(first.next())
                .as(
                        "the cursor of the first page, which has %s of %s names and may have at most %s",
                        first.names().size(), first.names().size() + rest.size(), FIRST_PAGE)
                .isNotNull();
        assertThat(ListedNames.from(first.next(), cursor -> ListedNames.page(process, kind, prefix, cursor, limit)))
                .as("the names after the first page, listed %s", how)
                .containsExactlyInAnyOrderElementsOf(rest);
    }
}
