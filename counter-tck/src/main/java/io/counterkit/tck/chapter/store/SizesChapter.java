package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SequenceHistory;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapters 1, 5, 10 and 13, continued: sizes beyond one page, cache or batch. */
public abstract class SizesChapter extends MigrationChapter {
    private static final int MANY = 1_100;
    private static final int FEW = 200;

    /** The names of a slow store whose states are read at once. */
    private static final int FEW_NAMES = 120;

    /** More than a cache has place for. Only a fast store gets so many. */
    private static final int VERY_MANY = 11 * MANY;

    /** How long a fast store takes at most for {@link #MANY} adds. */
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
        long start = System.nanoTime();
        addToAll(names);
        boolean isFast = System.nanoTime() - start < SOON;
        List<CompletableFuture<Entry>> appends = names.stream()
                .map(name -> here().sequence(name).async().append(Map.of()))
                .toList();
        appends.forEach(CompletableFuture::join);
        here().counter(prefix + "0 gone").add(1);
        awaitLists(() -> {
            assertThat(listed(prefix, true, 1000)).containsAll(names);
            assertThat(listed(prefix, false, 1000)).containsAll(names);
        });
        // With a slow store, the largest pages were listed above only.
        for (int limit : isFast ? new int[] {1000, 137} : new int[] {137}) {
            assertThat(listedWhileNamesComeAndGo(prefix, limit))
                    .as("the names listed in pages of %s, among them those present throughout", limit)
                    .doesNotHaveDuplicates()
                    .containsAll(names);
            assertThat(listed(prefix, false, limit)).containsExactlyInAnyOrderElementsOf(names);
        }
        if (isFast) {
            for (int from = MANY; from < VERY_MANY; from += MANY) {
                addToAll(IntStream.range(from, from + MANY)
                        .mapToObj(i -> prefix + "more " + i)
                        .toList());
            }
            awaitLists(() -> assertThat(listed(prefix + "more ", true, 1000))
                    .as("the names listed of very many")
                    .hasSize((VERY_MANY / MANY - 1) * MANY)
                    .doesNotHaveDuplicates());
        }
    }

    /** Adds 1 to each counter, at once. */
    private void addToAll(List<String> names) {
        List<CompletableFuture<Void>> adds =
                names.stream().map(name -> here().counter(name).async().add(1)).toList();
        adds.forEach(CompletableFuture::join);
    }

    private List<String> listed(String prefix, boolean ofCounters, int limit) {
        return ListedNames.from(
                null,
                cursor -> ofCounters
                        ? there().counterNames(prefix, cursor, limit)
                        : there().sequenceNames(prefix, cursor, limit));
    }

    /** Lists the names while others, before, among and after them, are added and deleted. */
    private List<String> listedWhileNamesComeAndGo(String prefix, int limit) {
        List<String> names = new ArrayList<>();
        String cursor = null;
        int page = 0;
        Counter passing = here().counter(prefix + "0 gone");
        passing.add(1);
        do {
            NamePage next = there().counterNames(prefix, cursor, limit);
            names.addAll(next.names());
            cursor = next.next();
            if (page++ < 4) {
                passing.delete();
                passing = here().counter(prefix + (page % 2 == 0 ? "0 come " : "9 come ") + limit + " " + page);
                passing.add(1);
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
        assertThat(counter.get()).as("the total").isEqualTo(many);
        addAll(elsewhere(counter), tokens);
        assertThat(counter.get()).as("the total after a repetition").isEqualTo(many);
        for (int i = 0; i < many; i += many / 10) {
            assertThat(there().resolve(tokens.get(i))).isEqualTo(new Resolution.Added(counter.name(), 1));
        }
    }

    private static List<IdempotencyToken> tokens(int count) {
        return Stream.generate(IdempotencyToken::random).limit(count).toList();
    }

    /** Adds 1 under each token, some at once. */
    private static void addAll(Counter counter, List<IdempotencyToken> tokens) {
        for (int from = 0; from < tokens.size(); from += MANY) {
            List<CompletableFuture<Void>> adds = tokens.subList(from, Math.min(from + MANY, tokens.size())).stream()
                    .map(token -> counter.async().add(1, token))
                    .toList();
            adds.forEach(CompletableFuture::join);
        }
    }

    @Test
    @Rule(
            value = "10.18",
            lookAt = "limits on the number of entries, subjects and tokens, and whether the first of them are still"
                    + " known")
    final void spec1018_longSequencesAreComplete() {
        int many = size(MANY, FEW);
        Sequence sequence = sequence();
        IdempotencyToken first = IdempotencyToken.random();
        Entry one = sequence.append(Change.ADDED, "subject 0", Map.of("i", 0L), first);
        List<CompletableFuture<Entry>> appends = new ArrayList<>();
        for (int i = 1; i < many; i++) {
            appends.add(sequence.async().append(Change.ADDED, "subject " + i, Map.of("i", (long) i)));
        }
        appends.forEach(CompletableFuture::join);
        Sequence other = elsewhere(sequence);
        assertThat(other.last()).isEqualTo(many);
        assertThat(other.liveCount()).isEqualTo(many);
        for (long[] range : new long[][] {{1, many - 100}, {101, many}, {200, 200}, {many - 1, many + 100}, {1, 1}}) {
            assertThat(other.read(range[0], range[1]))
                    .extracting(entry -> entry.fields().get("i"))
                    .containsExactlyElementsOf(LongStream.range(range[0] - 1, Math.min(range[1], many))
                            .boxed()
                            .toList());
        }
        assertThat(SequenceHistory.numbersIn(other)).hasSize(many);
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> other.append(Change.ADDED, "subject 0", Map.of()));
        assertThat(other.append(Change.ADDED, "subject 0", Map.of(), first)).isEqualTo(one);
        other.erase(1);
        assertThat(entry(sequence, 1)).isEqualTo(one.withoutFields());
        assertThat(other.append(Change.REMOVED, "subject 0", Map.of()).liveCount())
                .isEqualTo(many - 1L);
    }

    @Test
    @Rule(
            value = "13.12",
            lookAt = "limits on the names of one request, and on their size, and on the copied entries of one read")
    final void spec1312_manyNamesAndCopiesAreComplete() {
        if (refusesToImport()) {
            return;
        }
        int many = size(MANY, FEW);
        MigrationStore into = backend().migration();
        Sequence sequence = sequence();
        imported(into, Kind.SEQUENCE, sequence.name(), end(many, 17));
        for (int from = 1; from <= many; from += 100) {
            List<Entry> entries = LongStream.range(from, from + 100)
                    .mapToObj(number -> entry(number, Map.of("i", number)))
                    .toList();
            into.copy(sequence.name(), entries, commit()).join();
        }
        sequence.next();
        assertThat(SequenceHistory.numbersIn(elsewhere(sequence))).isEqualTo(SequenceHistory.firstNumbers(many + 1));
        assertThat(elsewhere(sequence).read(102, many + 1)).hasSize(many - 100);
        int page = timeBox.isFast() ? Limits.MAX_PAGE : FEW_NAMES;
        List<String> names = Stream.generate(() -> SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES))
                .limit(page - 2)
                .collect(Collectors.toCollection(ArrayList::new));
        names.add(page - 30, sequence.name());
        names.add(sequence.name());
        here().counter(sequence.name()).add(1);
        for (Kind kind : Kind.values()) {
            List<NameState> states = into.states(kind, names, commit()).join();
            assertThat(states).as("the states of %s names", page).hasSize(page);
            List<Optional<ImportedState>> bases =
                    into.bases(kind, names, commit()).join();
            assertThat(bases).as("the imported states of %s names", page).hasSize(page);
            for (int place : new int[] {page - 30, page - 1}) {
                assertThat(states.get(place).isPresent()).isTrue();
                assertThat(bases.get(place))
                        .isEqualTo(kind == Kind.COUNTER ? Optional.empty() : Optional.of(end(many, 17)));
            }
            assertThat(into.states(kind, List.of(), commit()).join())
                    .as("the states of no names")
                    .isEmpty();
            assertThat(into.bases(kind, List.of(), commit()).join())
                    .as("the imported states of no names")
                    .isEmpty();
        }
    }
}
