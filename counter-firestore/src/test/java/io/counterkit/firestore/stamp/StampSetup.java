package io.counterkit.firestore.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.CountersListener;
import io.counterkit.Resolution;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A counter whose adds have stamps, in two processes, and what is stored of it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class StampSetup {
    static final Result<Void> APPLIED = Result.applied();
    static final Result<Void> RETRY = Result.retry();

    final String tokens = TestStore.name();
    final TestStore store = new TestStore(options(1), ClientRetries.NONE);
    final FirestoreCounterBackend here = store.backend();
    final FirestoreCounterBackend there = store.anotherBackend();
    final String name = TestStore.name();

    FirestoreCounterOptions options(int shards) {
        return FirestoreCounterOptions.builder()
                .writeStrategy(WriteStrategy.STAMP)
                .shards(shards)
                .tokenCollection(tokens)
                .build();
    }

    /** Leaves a counter with a total of 2, whose next add by this process is a single call. */
    @BeforeEach
    void warm() {
        add(here, newCommit(), 1);
        add(here, newCommit(), 1);
        assertThat(stamps(0)).hasSize(1);
    }

    @AfterEach
    void close() {
        there.close();
        store.close();
    }

    static Commit newCommit() {
        return new Commit(Duration.ofSeconds(60), new SecureRandom(), CountersListener.disabled());
    }

    CompletableFuture<List<Result<Void>>> send(CounterBackend backend, Commit commit, long delta) {
        return backend.counters().add(List.of(new AddRequest(name, delta, null)), commit);
    }

    /** Sends an add of 5, and runs {@code meanwhile} while its first call to the store is held. */
    CompletableFuture<List<Result<Void>>> sendHeld(CounterBackend backend, Commit commit, Runnable meanwhile) {
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            CompletableFuture<List<Result<Void>>> sent = send(backend, commit, 5);
            awaitHit(fault);
            meanwhile.run();
            return sent;
        }
    }

    void add(CounterBackend backend, Commit commit, long delta) {
        assertThat(send(backend, commit, delta).join()).containsExactly(APPLIED);
    }

    Resolution resolve(CounterBackend backend, Commit commit) {
        return backend.resolve(commit.token(), ChangeTarget.counter(name), newCommit())
                .join();
    }

    void assertResolved(Commit commit, boolean applied) {
        for (CounterBackend backend : List.of(there, here)) {
            assertThat(resolve(backend, commit).applied()).as("applied").isEqualTo(applied);
        }
    }

    long total() {
        return store.shards(name).values().stream()
                .mapToLong(shard -> shard.get("count") instanceof Long count ? count : 0)
                .sum();
    }

    Map<String, Object> stamps(int shard) {
        Map<String, Object> stamps = new TreeMap<>();
        Map<String, Object> data = store.data(store.shard(name, shard));
        if (data != null && data.get("stamps") instanceof Map<?, ?> stored) {
            stored.forEach((lane, stamp) -> stamps.put(String.valueOf(lane), stamp));
        }
        return stamps;
    }

    int tokenDocuments() {
        return store.all(tokens).size();
    }

    static void awaitHit(CallFault fault) {
        await().until(fault::isHit);
    }
}
