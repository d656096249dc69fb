package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 1: names and absence. */
public abstract class NamesChapter extends Chapter {
    @Test
    @Rule(
            value = "1.1",
            lookAt = "what a read does if the store has no data for the name; what a read, a watch, a resolution or a"
                    + " refusal leaves in the store")
    final void spec101_unusedCounterIsAbsent() {
        Counter counter = counter();
        assertTotal(counter, 0);
        assertThat(ListedNames.ofCounters(here(), counter.name()))
                .as("the listed names")
                .isEmpty();
        IdempotencyToken used = IdempotencyToken.random();
        counter().add(1, used);
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> counter.add(1, used));
        assertThat(counter.read(Duration.ofMinutes(10)).value()).as("the total").isZero();
        assertThat(elsewhere(counter).read(Duration.ofMinutes(10)).value())
                .as("the total in another process")
                .isZero();
        assertThat(here().readAll(List.of(counter.name()), Duration.ofMinutes(1))
                        .values())
                .containsEntry(counter.name(), 0L);
        Counters watching = connect();
        Queue<Long> watched = new ConcurrentLinkedQueue<>();
        watching.counter(counter.name()).watch(Duration.ofMillis(20), reading -> watched.add(reading.value()));
        await("the first total that a watch reports")
                .atMost(ConcurrentTasks.PATIENCE)
                .until(() -> !watched.isEmpty());
        assertThat(watched).containsOnly(0L);
        watching.close();
        CounterBackend backend = backend();
        Commit commit = commit();
        ChangeTarget target = ChangeTarget.counter(counter.name());
        assertThat(backend.resolve(commit.token(), target, commit()).join().applied())
                .isFalse();
        counter.reset();
        assertTotal(counter, 0);
        assertThat(ListedNames.ofCounters(there(), counter.name()))
                .as("the names listed after reads and refusals of an absent counter")
                .isEmpty();
        if (declares(Capability.TOP)) {
            assertThat(there().top(counter.name(), 10)).isEmpty();
        }
        if (declares(Capability.SEAL_COUNTERS) || declares(Capability.IMPORT)) {
            assertThat(backend.migration()
                            .states(Kind.COUNTER, List.of(counter.name()), commit())
                            .join())
                    .containsExactly(new NameState(false, null, null));
        }
    }

    @Test
    @Rule(value = "1.2", lookAt = "whether an add of 0 is optimised away")
    final void spec102_addOfZeroMakesPresent() {
        Counter counter = counter();
        counter.add(0);
        assertTotal(counter, 0);
        awaitNames(Kind.COUNTER, counter.name(), List.of(counter.name()));
        Counter other = counter();
        IdempotencyToken token = IdempotencyToken.random();
        other.add(0, token);
        assertResolved(token, new Resolution.Added(other.name(), 0));
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> other.add(1, token));
        awaitNames(Kind.COUNTER, other.name(), List.of(other.name()));
    }

    @Test
    @Rule(value = "1.3", lookAt = "how names are escaped for the store, and unescaped in lists")
    final void spec103_everyNameIsDistinct() {
        String prefix = name();
        List<String> names = some(SimilarTexts.under(prefix));
        for (int i = 0; i < names.size(); i++) {
            here().counter(names.get(i)).add(i + 1L);
            here().sequence(names.get(i)).next();
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(there().counter(names.get(i)).get())
                    .as("the total of '%s'", names.get(i))
                    .isEqualTo(i + 1L);
            assertThat(there().sequence(names.get(i)).last())
                    .as("the last number of '%s'", names.get(i))
                    .isOne();
        }
        for (Kind kind : Kind.values()) {
            awaitNames(kind, prefix, names);
        }
    }

    @Test
    @Rule(value = "1.4", lookAt = "the API layer: it checks names before they reach the backend")
    final void spec104_invalidNameIsRefused() {
        for (String name : List.of("", "a\u0000b", "line\nbreak", "half \ud83d", "é".repeat(201), "x".repeat(401))) {
            assertThatIllegalArgumentException().isThrownBy(() -> here().counter(name));
            assertThatIllegalArgumentException().isThrownBy(() -> here().sequence(name));
        }
    }

    @Test
    @Rule(value = "1.5", lookAt = "the cursor, and whether the prefix is taken literally")
    final void spec105_namesComeInPages() {
        String prefix = name() + "/%_*";
        List<String> expected = new ArrayList<>(List.of(prefix));
        for (int i = 0; i < 7; i++) {
            expected.add(prefix + i);
        }
        for (String name : expected) {
            here().counter(name).increment();
            here().sequence(name).next();
        }
        here().counter(prefix.replace('%', 'x')).increment();
        here().sequence(prefix.replace('%', 'x')).next();
        for (Kind kind : Kind.values()) {
            awaitNames(kind, prefix, expected);
        }
        for (int limit : new int[] {3, 1}) {
            for (Kind kind : Kind.values()) {
                assertThat(inPages(kind, prefix, limit)).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
        for (Kind kind : Kind.values()) {
            List<String> names = new ArrayList<>();
            @Nullable String cursor = null;
            for (int page = 1; page <= 5 && (page == 1 || cursor != null); page++) {
                NamePage next = ListedNames.page(here(), kind, "", cursor, 4);
                names.addAll(next.names());
                cursor = next.next();
            }
            assertThat(names).as("the first pages of all names").isNotEmpty().doesNotHaveDuplicates();
        }
    }

    @Test
    @Rule(
            value = "1.6",
            lookAt = "what a read does if the store has no data for the name; what a refusal leaves in the store")
    final void spec106_unusedSequenceIsEmpty() {
        Sequence sequence = sequence();
        assertTail(sequence, Tail.EMPTY);
        assertThat(sequence.read(1, 10)).isEmpty();
        assertThat(sequence.partition(3)).isEmpty();
        assertThat(ListedNames.ofSequences(here(), sequence.name()))
                .as("the listed names")
                .isEmpty();
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> sequence.append(Change.UPDATED, "s", Map.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> sequence.erase(1));
        ChangeTarget append = ChangeTarget.append(sequence.name(), 0);
        assertThat(backend().resolve(commit().token(), append, commit()).join().applied())
                .isFalse();
        assertTail(sequence, Tail.EMPTY);
        assertThat(ListedNames.ofSequences(there(), sequence.name()))
                .as("the names listed after refusals and a resolution")
                .isEmpty();
        appendNumberElsewhere(sequence, 1);
        awaitNames(Kind.SEQUENCE, sequence.name(), List.of(sequence.name()));
        Sequence withoutLive = sequence();
        withoutLive.append(Change.ADDED, "s", Map.of());
        withoutLive.append(Change.REMOVED, "s", Map.of());
        withoutLive.erase(1);
        withoutLive.erase(2);
        awaitLists(() -> assertThat(ListedNames.ofSequences(here(), withoutLive.name()))
                .as("the names listed for a sequence without a live subject")
                .containsExactly(withoutLive.name()));
    }

    @Test
    @Rule(value = "1.7", lookAt = "whether counters and sequences share keys in the store")
    final void spec107_counterAndSequenceOfOneNameAreIndependent() {
        String name = name();
        here().counter(name).add(5);
        here().sequence(name).append(Map.of("a", 1L));
        here().counter(name).add(2);
        assertTotalElsewhere(name, 7);
        assertLastElsewhere(name, 1);
        here().counter(name).delete();
        assertLastElsewhere(name, 1);
    }

    private void awaitNames(Kind kind, String prefix, List<String> expected) {
        awaitLists(() -> assertThat(ListedNames.of(here(), kind, prefix, Limits.MAX_PAGE))
                .containsExactlyInAnyOrderElementsOf(expected));
    }

    private List<String> inPages(Kind kind, String prefix, int limit) {
        List<String> names = new ArrayList<>();
        @Nullable String cursor = null;
        int pages = 0;
        do {
            assertThat(pages++)
                    .as(
                            "the number of pages of a list of 8 names with at most %s names each, most of which are"
                                    + " empty",
                            limit)
                    .isLessThan(50);
            NamePage page = ListedNames.page(here(), kind, prefix, cursor, limit);
            assertThat(page.names()).as("a page of at most %s names", limit).hasSizeLessThanOrEqualTo(limit);
            names.addAll(page.names());
            cursor = page.next();
        } while (cursor != null);
        return names;
    }
}
