package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.Readings;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapters 2 and 8, continued: many counters, large batches, and counters with many adds. */
public abstract class LargeBatchesChapter extends Chapter {
    /**
     * The number of names in one read. A larger read may take long in a store that keeps a counter in several parts.
     */
    private static final int AT_ONCE = 250;

    private static final int FEW_AT_ONCE = 60;

    /** The largest number of names in one read of the API. Used on a fast store only. */
    private static final int MOST_AT_ONCE = 1_000;

    /** The longest time that a fast store takes for a read or an add of some hundred counters. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(150);

    /** The number of adds in the largest batch. Larger ones are sent to a fast store only. */
    private static final int LARGE_BATCH = 1_000;

    private static final int VERY_LARGE_BATCH = 12_000;

    /** More adds than a page of a store holds. On a slow store, as many as are made in {@link #LONG}. */
    private static final int MANY = 1_100;

    private static final int FEW = 60;

    /** How many counters are cleared concurrently. */
    private static final int GROUP = 4;

    private static final long LONG = TimeUnit.SECONDS.toNanos(3);

    @Test
    @Rule(
            value = "2.7",
            lookAt = "the largest batch of the store, how larger ones are split, the number of names in one read and"
                    + " their size, and whether a large read uses a cache")
    final void spec207_concurrentAddsToManyCountersAreExact() {
        int many = size(AT_ONCE, FEW_AT_ONCE);
        List<String> names = IntStream.range(0, 2 * many).mapToObj(i -> name()).toList();
        List<CompletableFuture<?>> adds = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            var counter = here().counter(names.get(i)).async();
            adds.add(i % 5 == 0 ? counter.add(i, IdempotencyToken.random()) : counter.add(i));
        }
        adds.forEach(CompletableFuture::join);
        for (int from = 0; from < names.size(); from += many) {
            assertTotals(names.subList(from, from + many), from);
        }
        List<String> again = names.subList(0, many);
        awaitAll(again.stream().map(name -> here().counter(name).async().add(1)));
        long start = System.nanoTime();
        assertTotals(again, 1);
        if (System.nanoTime() - start < SOON) {
            List<String> all = Stream.concat(
                            names.subList(many, names.size()).stream(),
                            Stream.generate(() -> SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES))
                                    .limit(MOST_AT_ONCE - 2 * many))
                    .toList();
            all = Stream.concat(all.stream(), again.stream()).toList();
            for (Duration allowed : List.of(Duration.ZERO, Duration.ofNanos(1))) {
                Readings readings = there().readAll(all, allowed);
                for (int i = 0; i < all.size(); i++) {
                    int present = names.indexOf(all.get(i));
                    assertThat(readings.get(all.get(i)).value())
                            .as("the total of name %s of %s in one read", i + 1, all.size())
                            .isEqualTo(present < 0 ? 0 : present < many ? present + 1 : present);
                    assertThat(readings.get(all.get(i)).staleness()).isLessThanOrEqualTo(allowed);
                }
            }
        }
    }

    /** Checks that another process reads these totals: {@code first}, and one more for each further name. */
    private void assertTotals(List<String> names, long first) {
        Map<String, Long> totals = there().readAll(names, Duration.ZERO).values();
        for (int i = 0; i < names.size(); i++) {
            assertThat(totals).containsEntry(names.get(i), first + i);
        }
        assertThat(totals).hasSameSizeAs(names);
    }

    @Test
    @Rule(
            value = "2.9",
            lookAt = "the limits that are declared: statements, parameters and bytes of a transaction; the weight of"
                    + " each add")
    final void spec209_batchOfTheLargestWeightIsApplied() {
        CounterBackend backend = backend();
        long start = System.nanoTime();
        List<AddRequest> added = addLargest(backend.counters(), LARGE_BATCH);
        if (System.nanoTime() - start < SOON && backend.counters().limits().maxWeight() > LARGE_BATCH) {
            added = addLargest(backend.counters(), VERY_LARGE_BATCH);
        }
        if (declares(Capability.SEAL_COUNTERS)
                && added.size() > 1
                && !backend.counters().limits().onePerName()) {
            assertSealsAreKnown(backend.counters(), added);
        }
    }

    /** Sends as many adds as a batch may have, at most {@code most}, and checks their totals. */
    private List<AddRequest> addLargest(CounterStore store, int most) {
        BatchLimits limits = store.limits();
        String only = SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES);
        List<AddRequest> requests = Batches.largest(
                limits, limits.direct() ? 1 : most, store::weight, i -> request(i, limits.onePerName() ? only : null));
        List<Result<Void>> results = Batches.add(store, requests, this::commit);
        assertThat(results)
                .as(
                        "the results of a batch of %s adds with weight %s, with the limits %s",
                        requests.size(),
                        requests.stream().mapToInt(store::weight).sum(),
                        limits)
                .containsOnly(Result.applied());
        if (limits.onePerName()) {
            assertTotalElsewhere(only, requests.size());
            return requests;
        }
        for (int from = 0; from < requests.size(); from += AT_ONCE) {
            List<String> names = requests.subList(from, Math.min(from + AT_ONCE, requests.size())).stream()
                    .map(AddRequest::name)
                    .toList();
            assertThat(there().readAll(names, Duration.ZERO).values().values())
                    .as("the totals of counters in a batch of %s adds", requests.size())
                    .hasSameSizeAs(names)
                    .containsOnly(1L);
        }
        return requests;
    }

    /** Sends a batch of adds of 0, in which two counters that are far apart are sealed. */
    private void assertSealsAreKnown(CounterStore store, List<AddRequest> added) {
        List<AddRequest> requests = added.stream()
                .map(request ->
                        new AddRequest(request.name(), 0, request.token() == null ? null : IdempotencyToken.random()))
                .toList();
        List<Integer> sealed = List.of(requests.size() / 2, requests.size() - 1);
        sealed.forEach(i -> there().counter(requests.get(i).name()).seal("elsewhere"));
        List<Result<Void>> results = Batches.add(store, requests, this::commit);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(results.get(i).failure() instanceof SealedException)
                    .as(
                            "whether add %s of a batch of %s is refused because its counter is sealed; its result is"
                                    + " %s",
                            i + 1, requests.size(), results.get(i))
                    .isEqualTo(sealed.contains(i));
        }
    }

    /** Returns an add with short or with the longest texts, without or with a token. */
    private AddRequest request(int number, @Nullable String only) {
        boolean isLong = number % 3 == 0;
        String name = only != null ? only : isLong ? SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES) : name();
        IdempotencyToken token = IdempotencyToken.random();
        return new AddRequest(
                name,
                1,
                number % 2 == 1 || (only == null && number % 4 == 0)
                        ? null
                        : isLong
                                ? IdempotencyToken.of(SimilarTexts.filled(token.value(), Limits.MAX_TOKEN_BYTES))
                                : token);
    }

    @Test
    @Rule(value = "8.12", lookAt = "where deletions and resets are kept: in the store, not in a list with a limit")
    final void spec812_manyResetsAndDeletionsAreLasting() {
        CounterStore store = backend().counters();
        String prefix = name() + "/";
        List<String> names = IntStream.range(0, timeBox.isFast() ? size(MANY, FEW) : FEW)
                .mapToObj(i -> prefix + i)
                .toList();
        int half = names.size() / 2;
        awaitAll(names.stream().map(name -> here().counter(name).async().add(3)));
        Futures.join(Futures.inGroups(names.subList(0, half), GROUP, name -> store.reset(name, commit())));
        Futures.join(Futures.inGroups(names.subList(half, names.size()), GROUP, name -> store.delete(name, commit())));
        CounterStore other = backend().counters();
        for (int from = 0; from < names.size(); from += Limits.MAX_PAGE) {
            List<String> page = names.subList(from, Math.min(names.size(), from + Limits.MAX_PAGE));
            assertThat(other.read(page, Duration.ZERO, commit()).join())
                    .as("the totals of %s counters, half of which were reset and half deleted", names.size())
                    .allMatch(total -> total.orThrow().value() == 0);
        }
        awaitLists(() -> assertThat(ListedNames.ofCounters(there(), prefix))
                .as("the list of %s counters after half of them were deleted", names.size())
                .hasSize(half));
    }

    @Test
    @Rule(
            value = "8.9",
            lookAt = "a log of adds that is cleared or summed page by page; a snapshot of it that misses some adds")
    final void spec809_clearingAndSealingCoverManyAdds() {
        Counter counter = counter();
        long added = addMany(counter);
        assertTotalElsewhere(counter, added);
        elsewhere(counter).reset();
        assertThat(counter.get())
                .as("the total after a reset of %s adds", added)
                .isZero();
        added = addMany(counter);
        assertThat(elsewhere(counter).get())
                .as("the total after a reset and %s further adds", added)
                .isEqualTo(added);
        elsewhere(counter).delete();
        assertThat(counter.get())
                .as("the total after a deletion of %s adds", added)
                .isZero();
        added = addMany(counter);
        assertThat(elsewhere(counter).get())
                .as("the total after a deletion and %s further adds", added)
                .isEqualTo(added);
        assertThat(there().readAll(List.of(counter.name()), Duration.ZERO)
                        .get(counter.name())
                        .value())
                .isEqualTo(added);
        if (declares(Capability.SEAL_COUNTERS)) {
            assertThat(elsewhere(counter).seal("elsewhere"))
                    .as("the seal that another process returns")
                    .isEqualTo(new Seal("elsewhere", added, added));
            assertTotal(counter, added);
        }
    }

    /** Adds 1 under many tokens, so that the adds are not merged. Returns the number of adds. */
    private static long addMany(Counter counter) {
        long start = System.nanoTime();
        long added = 0;
        while (added < MANY && System.nanoTime() - start < LONG) {
            awaitAll(Stream.generate(IdempotencyToken::random)
                    .limit(MANY / 10)
                    .map(token -> counter.async().add(1, token)));
            added += MANY / 10;
        }
        return added;
    }
}
