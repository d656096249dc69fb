package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamedReading;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The clock, the faults and the dump of a store in memory. */
class InMemoryStoreTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final InMemoryStore store = InMemoryStore.create(InMemoryOptions.builder()
            .clock(now::get)
            .retention(Duration.ofHours(1))
            .build());
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Counter likes = counters.counter("likes");
    private final Counter views = counters.counter("views");

    @Test
    void readingsAndEntriesCarryTheTimeOfTheClock() {
        now.set(NOON.plusNanos(1_999_999));
        Entry entry = counters.sequence("orders").append(Map.of());
        assertThat(entry.appendedAt()).isEqualTo(NOON.plusMillis(1));
        assertThat(likes.read(Duration.ZERO).asOf()).isEqualTo(NOON.plusMillis(1));
    }

    @Test
    void entryWithToken_isReturnedAsItWasAppended_evenIfItIsErasedByThen() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Sequence sequence = interrupted(meanwhile).sequence("orders");
        meanwhile.set(() -> {
            if (sequence.last() == 1) {
                meanwhile.set(() -> {});
                sequence.erase(1);
            }
        });
        Entry entry = sequence.append(Map.of("to", "Anna"), IdempotencyToken.random());
        assertThat(entry.fields()).containsEntry("to", "Anna");
        assertThat(sequence.read(1, 1)).containsExactly(entry.withoutFields());
    }

    @Test
    void counterThatIsDeletedAfterItWasListed_isNotRanked() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Counters interrupted = interrupted(meanwhile);
        interrupted.counter("a").add(1);
        interrupted.counter("b").add(5);
        meanwhile.set(() -> {
            meanwhile.set(() -> {});
            interrupted.counter("b").delete();
        });
        assertThat(interrupted.top("", 10)).extracting(NamedReading::name).containsExactly("a");
    }

    /** Returns the counters of a store that runs a task whenever it reads the clock. */
    private static Counters interrupted(AtomicReference<Runnable> meanwhile) {
        return Counters.over(InMemoryBackend.over(InMemoryStore.create(InMemoryOptions.builder()
                .clock(() -> {
                    meanwhile.get().run();
                    return NOON;
                })
                .build())));
    }

    @Test
    void tokenIsRememberedForTheRetention() {
        IdempotencyToken token = IdempotencyToken.of("order-17");
        likes.add(5, token);
        now.set(NOON.plus(Duration.ofHours(1)));
        likes.add(5, token);
        assertThat(likes.get()).isEqualTo(5);
        assertThat(store.dump().tokens()).isEqualTo(1);
        now.set(NOON.plus(Duration.ofHours(1)).plusMillis(1));
        assertThat(store.dump().tokens()).isZero();
        likes.add(5, token);
        assertThat(likes.get()).isEqualTo(10);
    }

    @Test
    void deadlineLongerThanHalfOfTheRetentionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InMemoryOptions.builder().retention(Duration.ofMillis(1)))
                .withMessageContaining("retention 1 ms: use 1 h to 3650 days");
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofHours(24)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Counters.over(InMemoryBackend.over(store), patient))
                .withMessageContaining("24 h")
                .withMessageContaining("tokens for 1 h");
    }

    @Test
    void addsAndAppendsWithoutATokenStoreNone() {
        store.faults().inject(Fault.FAIL, Calls.next("another name"));
        for (int i = 0; i < 100; i++) {
            likes.increment();
            likes.async().increment().join();
            counters.sequence("orders").next();
        }
        likes.reset();
        assertThat(store.dump().tokens()).isZero();
    }

    @Test
    void failedCallIsNotApplied() {
        store.faults().inject(Fault.FAIL, Calls.next("likes"));
        views.increment();
        assertThatExceptionOfType(NotAppliedException.class).isThrownBy(likes::increment);
        likes.increment();
        assertThat(store.dump().counters()).containsEntry("likes", 1L).containsEntry("views", 1L);
    }

    @Test
    void lostReplyIsApplied() {
        Injection injection = store.faults().inject(Fault.LOSE_REPLY, Calls.all("likes"));
        IdempotencyToken token = catchThrowableOfType(OutcomeUnknownException.class, likes::increment)
                .token();
        assertThat(injection.hits()).isEqualTo(1);
        injection.release();
        assertThat(counters.resolve(token).applied()).isTrue();
        likes.increment();
        assertThat(likes.get()).isEqualTo(2);
    }

    @Test
    void heldCallIsMadeOnRelease() {
        Injection injection = store.faults().inject(Fault.HOLD, Calls.next());
        CompletableFuture<Void> held = likes.async().add(3);
        assertThat(held).isNotDone();
        assertThat(likes.get()).isZero();
        injection.release();
        assertThat(held).isCompleted();
        assertThat(likes.get()).isEqualTo(3);
    }

    @Test
    void clearReleasesEveryFault() {
        store.faults().inject(Fault.HOLD, Calls.next("likes"));
        CompletableFuture<Void> held = likes.async().add(3);
        store.faults().inject(Fault.FAIL, Calls.all());
        store.faults().clear();
        assertThat(held).isCompleted();
        assertThat(likes.get()).isEqualTo(3);
    }

    @Test
    void callsAreSkippedAndCountedByName() {
        Injection injection =
                store.faults().inject(Fault.FAIL, Calls.next("likes").skipping(2));
        likes.increment();
        views.increment();
        likes.increment();
        assertThat(injection.hits()).isZero();
        assertThatExceptionOfType(NotAppliedException.class).isThrownBy(likes::increment);
        likes.increment();
        assertThat(likes.get()).isEqualTo(3);
    }

    @Test
    void hitsByChanceRepeatWithTheSeed() {
        assertThat(hitsOfOneInFour(17)).isEqualTo(hitsOfOneInFour(17)).isBetween(100, 160);
        assertThatIllegalArgumentException().isThrownBy(() -> Calls.all().withChance(1.5, new Random(17)));
    }

    private int hitsOfOneInFour(long seed) {
        Injection injection = store.faults().inject(Fault.FAIL, Calls.all().withChance(0.25, new Random(seed)));
        for (int i = 0; i < 500; i++) {
            likes.async().increment().handle((done, failure) -> failure).join();
        }
        injection.release();
        return injection.hits();
    }

    @Test
    void dumpContainsTotalsEntriesAndTokens() {
        likes.add(7);
        views.add(0);
        Sequence orders = counters.sequence("orders");
        orders.append(Change.ADDED, "order-17", Map.of("total", 1999L), IdempotencyToken.of("click"));
        counters.sequence("sealed").seal("elsewhere");
        assertThat(store.dump().counters()).isEqualTo(Map.of("likes", 7L, "views", 0L));
        assertThat(store.dump().sequences()).containsOnlyKeys("orders", "sealed");
        assertThat(store.dump()).hasToString("likes = 7\nviews = 0\norders #1 ADDED order-17 {total=1999}\n1 tokens");
    }
}
