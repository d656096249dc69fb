package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.RampUpLimiter;
import io.counterkit.Sequence;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The calls of a migration to both stores, as in the table of costs in docs/migration.md. */
class CallCountTest {
    private final AtomicLong nanos = new AtomicLong(17);
    private final InMemoryStore source = InMemoryStore.create();
    private final InMemoryStore target = InMemoryStore.create();
    private final Counters old = Counters.over(InMemoryBackend.over(source));
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Rollout rollout = Rollout.at(0);
    private final MigratingBackend backend = connect();
    private final Counters counters = Counters.over(backend);
    private final String name = "name/" + UUID.randomUUID();

    private MigratingBackend connect() {
        Connection recorder = new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call passing, Supplier<CompletableFuture<T>> carriedOut) {
                calls.add(what.replaceFirst("\\(.*", ""));
                return carriedOut.get();
            }
        };
        return MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(source), recorder),
                new ConnectedBackend("target", InMemoryBackend.over(target), recorder),
                MigrationOptions.builder("old", "new")
                        .rollout(rollout)
                        .nanoTime(nanos::get)
                        .sourceRetention(Duration.ofHours(24))
                        .build());
    }

    private List<String> callsOf(Runnable operation) {
        calls.clear();
        operation.run();
        return new ArrayList<>(calls);
    }

    @Test
    void beforeItsTurn() {
        Counter counter = counters.counter(name);
        Sequence sequence = counters.sequence(name);
        assertThat(callsOf(counter::increment)).containsExactly("source.add");
        assertThat(callsOf(sequence::next)).containsExactly("source.append");
        assertThat(callsOf(counter::get)).hasSize(2).first().isEqualTo("source.read");
        assertThat(callsOf(sequence::last)).hasSize(2).first().isEqualTo("source.tail");
    }

    @Test
    void moveBeforeAChange() {
        old.counter(name).add(41);
        old.sequence(name).append(Map.of());
        rollout.set(100);
        assertThat(callsOf(counters.counter(name)::increment)).hasSize(8).last().isEqualTo("target.add");
        assertThat(callsOf(counters.sequence(name)::next)).hasSize(8).last().isEqualTo("target.append");
    }

    @Test
    void whenItHasMoved() {
        rollout.set(100);
        Counter counter = counters.counter(name);
        counter.increment();
        assertThat(callsOf(counter::increment)).containsExactly("target.add");
        assertThat(callsOf(counter::get)).containsExactly("target.read");
        IdempotencyToken token = IdempotencyToken.of(name);
        assertThat(callsOf(() -> counter.add(1, token))).hasSize(2).contains("target.add");
        nanos.addAndGet(Duration.ofHours(25).toNanos());
        assertThat(callsOf(() -> counter.add(1, IdempotencyToken.of(name + "'"))))
                .containsExactly("target.add");
    }

    @Test
    void firstChangeOfAnImportedSubject() {
        old.sequence(name).append(Change.ADDED, "s", Map.of());
        rollout.set(100);
        Sequence sequence = counters.sequence(name);
        sequence.next();
        Runnable update = () -> sequence.append(Change.UPDATED, "s", Map.of());
        assertThat(callsOf(update)).containsExactly("source.subject", "target.importSubject", "target.append");
        assertThat(callsOf(update)).containsExactly("target.append");
    }

    @Test
    void copyOfASubject() throws InterruptedException {
        old.sequence(name).append(Change.ADDED, "s", Map.of());
        rollout.set(100);
        assertThat(subjectCallsOfAJob()).containsExactly("target.subject", "source.subject", "target.importSubject");
        assertThat(subjectCallsOfAJob()).containsExactly("target.subject");
    }

    private List<String> subjectCallsOfAJob() throws InterruptedException {
        calls.clear();
        MigrationJobOptions options = MigrationJobOptions.builder()
                .ramp(RampUpLimiter.unlimited())
                .copyEntries(true)
                .build();
        MigrationJob.over(backend, options).run();
        return calls.stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).contains("subject"))
                .toList();
    }
}
