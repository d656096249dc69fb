package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of many names, and of names that are created and deleted meanwhile. */
class NameListingTest {
    private static final int MANY = 100_000;

    private final Counters counters = Counters.over(InMemoryBackend.create());

    /** If each page read every name, these would be a billion reads. */
    @Test
    @Timeout(240)
    void pageOfManyNames_costsWhatItHolds() {
        for (int i = 0; i < MANY; i++) {
            counters.counter("c" + i).increment();
            counters.sequence("s" + i).next();
        }

        assertThat(list(cursor -> counters.counterNames("", cursor, 10)))
                .hasSize(MANY)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(list(cursor -> counters.sequenceNames("s", cursor, 10))).hasSize(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(counters.top("c" + i + "-", 10)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000", "a\u007f", "\ud800"})
    void cursorThatIsNoName_isRefused(String cursor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counters.counterNames("", cursor, 10))
                .withMessageStartingWith("cursor '")
                .withMessageEndingWith("' is not from a page of names: use the cursor of the previous page, or null for"
                        + " the first page");
        assertThatIllegalArgumentException().isThrownBy(() -> counters.sequenceNames("", cursor, 10));
    }

    @Test
    void prefix_isMatchedLiterally() {
        for (String name : List.of("a", "a/", "a/b", "a/\uffff", "a0", "b", "\ud834\udd1e", "\uffee")) {
            counters.counter(name).add(0);
        }

        assertThat(list(cursor -> counters.counterNames("a/", cursor, 1))).containsExactly("a/", "a/b", "a/\uffff");
        assertThat(list(cursor -> counters.counterNames("", cursor, 3))).hasSize(8);
        assertThat(counters.counterNames("a/", null, 3).next()).isNull();
        assertThat(counters.counterNames("c", null, 3).names()).isEmpty();
    }

    @Test
    void changesAfterTheFirstListing_areListed() {
        counters.counter("a").increment();
        counters.counterNames("", null, 10);
        counters.sequenceNames("", null, 10);

        counters.counter("b").add(0);
        counters.counter("a").delete();
        counters.counter("c").seal("elsewhere");
        counters.counter("b").reset();
        counters.sequence("s").append(Map.of());
        counters.sequence("t").seal("elsewhere");
        counters.sequence("u").last();

        assertThat(counters.counterNames("", null, 10).names()).containsExactly("b");
        assertThat(counters.sequenceNames("", null, 10).names()).containsExactly("s", "t");
    }

    /** The first listing starts before the first name is created, so that the index is built meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(600)
    void namesAcknowledgedBeforeAListing_areInIt(boolean isOfCounters) throws Exception {
        listWhileNamesComeAndGo(isOfCounters, 10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(600)
    @Tag("exhaustive")
    void namesAcknowledgedBeforeManyListings_areInThem(boolean isOfCounters) throws Exception {
        listWhileNamesComeAndGo(isOfCounters, 150);
    }

    private void listWhileNamesComeAndGo(boolean isOfCounters, int rounds) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < rounds; round++) {
                Counters fresh = Counters.over(InMemoryBackend.create());
                Queue<String> present = new ConcurrentLinkedQueue<>();
                CountDownLatch start = new CountDownLatch(1);
                List<Future<?>> work = new ArrayList<>();
                for (int thread = 0; thread < 2; thread++) {
                    work.add(threads.submit(() -> {
                        start.await();
                        for (int i = 0; i < 200; i++) {
                            String name = "n" + i; // created by either thread
                            if (isOfCounters) {
                                fresh.counter(name).increment();
                                fresh.counter("gone").increment();
                                fresh.counter("gone").delete();
                            } else {
                                fresh.sequence(name).next();
                            }
                            present.add(name);
                        }
                        return null;
                    }));
                }
                for (int thread = 0; thread < 2; thread++) {
                    work.add(threads.submit(() -> {
                        start.await();
                        for (int i = 0; i < 20; i++) {
                            List<String> before = List.copyOf(present);
                            List<String> listed = isOfCounters
                                    ? list(cursor -> fresh.counterNames("n", cursor, 7))
                                    : list(cursor -> fresh.sequenceNames("n", cursor, 7));
                            assertThat(listed).doesNotHaveDuplicates().containsAll(before);
                        }
                        return null;
                    }));
                }
                start.countDown();
                for (Future<?> each : work) {
                    each.get();
                }
                if (isOfCounters) {
                    assertThat(list(cursor -> fresh.counterNames("g", cursor, 7)))
                            .isEmpty();
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** No thread counts a token that another thread is removing. */
    @Test
    @Timeout(60)
    void manyTokensThatExpireAtOnce_areRemovedByAllThreadsTogether() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        InMemoryStore store = InMemoryStore.create(InMemoryOptions.builder()
                .clock(now::get)
                .retention(Duration.ofHours(24))
                .build());
        for (int i = 0; i < 4 * MANY; i++) {
            store.tokens().claim(IdempotencyToken.of("t" + i), Resolution.NotApplied::new);
        }
        now.set(Instant.EPOCH.plus(Duration.ofDays(2)));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Integer>> sizes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                sizes.add(threads.submit(() -> store.dump().tokens()));
            }
            for (Future<Integer> size : sizes) {
                assertThat(size.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<String> list(Function<@Nullable String, NamePage> pages) {
        List<String> names = new ArrayList<>();
        String cursor = null;
        do {
            assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
            NamePage page = pages.apply(cursor);
            names.addAll(page.names());
            cursor = page.next();
        } while (cursor != null);
        return names;
    }
}
