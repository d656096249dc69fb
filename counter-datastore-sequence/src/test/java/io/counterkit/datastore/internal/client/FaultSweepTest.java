package io.counterkit.datastore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every call of every operation fails in every way, before and after it is carried out. */
@Tag("exhaustive")
class FaultSweepTest extends FaultSweepSetup {
    /** Runs an operation with each fault at its first call, its second, and so on. Returns how often it ran. */
    private int sweep(Operation operation) {
        int runs = 0;
        for (Disturbance disturbance : Disturbance.all()) {
            AtomicInteger left = new AtomicInteger();
            for (int call = 1; left.get() <= 0; call++) {
                assertThat(call).as("calls of one operation").isLessThan(60);
                left.set(call);
                store.delegate().disturb(method -> left.decrementAndGet() == 0 ? disturbance : null);
                untilApplied(operation, counters());
                store.delegate().release();
                store.delegate().assertAllTransactionsAreEnded();
                runs++;
            }
        }
        return runs;
    }

    /** Checks that the sequence has no other entries than 1 to n, each with the right count. */
    private void assertNothingButEntriesOneTo(long n, Sequence sequence) {
        assertThat(count("CounterKitEntry")).isEqualTo((int) n);
        List<Entry> entries = new ArrayList<>();
        for (long from = 1; from <= n; from += 1000) {
            entries.addAll(sequence.read(from, from + 999));
        }
        assertThat(entries).extracting(Entry::number).containsExactlyElementsOf(firstNumbers(n));
        assertThat(entries).extracting(Entry::liveCount).containsExactlyElementsOf(firstNumbers(n));
    }

    @Test
    void appendWithATokenAndASubject() {
        Sequence sequence = counters.sequence("s");
        int runs = sweep((process, token) ->
                process.sequence("s").append(Change.ADDED, token.value(), Map.of("token", token.value()), token));
        assertNothingButEntriesOneTo(runs, sequence);
        Set<Object> tokens = new HashSet<>();
        for (long from = 1; from <= runs; from += 1000) {
            sequence.read(from, from + 999)
                    .forEach(entry -> tokens.add(entry.fields().get("token")));
        }
        assertThat(tokens).hasSize(runs);
    }

    @Test
    void appendWithoutAToken() {
        int runs = sweep((process, token) -> repeating(given -> given == null
                ? process.sequence("s").append(Map.of()).number()
                : process.sequence("s").append(Map.of(), given).number()));
        assertNothingButEntriesOneTo(runs, counters.sequence("s"));
    }

    @Test
    void addWithAndWithoutAToken() {
        int runs = sweep((process, token) -> process.counter("c").add(3, token));
        runs += sweep((process, token) -> repeating(given -> {
            if (given == null) {
                process.counter("c").add(3);
            } else {
                process.counter("c").add(3, given);
            }
            return 0L;
        }));
        assertThat(counters.counter("c").get()).isEqualTo(3L * runs);
        assertThat(count("CounterKitEntry")).isEqualTo(runs);
    }

    private interface Repeatable {
        long with(IdempotencyToken token);
    }

    private static void repeating(Repeatable change) {
        try {
            change.with(null);
        } catch (OutcomeUnknownException e) {
            change.with(e.token());
        }
    }

    @Test
    void resetAndDeletion() {
        Counter counter = counters.counter("c");
        sweep((process, token) -> {
            counter.add(5);
            process.counter("c").reset();
            assertThat(counter.get()).isZero();
        });
        sweep((process, token) -> {
            counter.add(5);
            process.counter("c").delete();
            assertThat(counter.get()).isZero();
        });
        assertThat(counters.counterNames("").names()).isEmpty();
    }

    @Test
    void seal() {
        List<String> sealed = new ArrayList<>();
        sweep((process, token) -> {
            String name = token.value();
            Sequence sequence = process.sequence(name);
            if (!sealed.contains(name)) {
                sealed.add(name);
                sequence.append(Map.of(), token);
            }
            assertThat(sequence.seal("elsewhere").last()).isEqualTo(sequence.last());
        });
    }

    @Test
    void sealOfACounter() {
        sweep((process, token) -> {
            Counter counter = process.counter(token.value());
            if (counters.counter(token.value()).get() == 0) {
                counter.add(5, token);
            }
            assertThat(counter.seal("elsewhere").last()).isEqualTo(5);
        });
    }

    @Test
    void eraseKeepsTheNumber() {
        Sequence sequence = counters.sequence("s");
        int runs = sweep((process, token) -> {
            long number = process.sequence("s").append(Map.of("a", 1L), token).number();
            process.sequence("s").erase(number);
            assertThat(sequence.read(number, number)).extracting(Entry::erased).containsExactly(true);
        });
        assertNothingButEntriesOneTo(runs, sequence);
    }

    @Test
    void resolvedTokenStaysAsItWasDecided() {
        int runs = sweep((process, token) -> {
            boolean applied = process.resolve(token).applied();
            assertThat(applied).isEqualTo(counters.resolve(token).applied());
            if (!applied) {
                assertThatExceptionOfType(TokenRefusedException.class)
                        .isThrownBy(() -> counters.sequence("s").append(Map.of(), token));
            }
        });
        assertThat(runs).isPositive();
        assertThat(count("CounterKitEntry")).isZero();
    }

    @Test
    void reads() {
        for (int i = 0; i < 30; i++) {
            counters.sequence("s").next();
            counters.counter("c").add(2);
        }
        sweep((process, token) -> {
            assertThat(process.sequence("s").tail()).isEqualTo(new Tail(30, 30, null));
            assertThat(process.sequence("s").read(1, 100)).hasSize(30);
            assertThat(process.counter("c").get()).isEqualTo(60);
            assertThat(process.counterNames("").names()).containsExactly("c");
            assertThat(process.sequenceNames("").names()).containsExactly("s");
        });
    }

    @Test
    void imports() {
        Instant then = Instant.ofEpochMilli(17);
        List<Entry> entries = List.of(
                new Entry(1, then, Change.ADDED, "s", Map.of("a", 1L), 1, false),
                new Entry(40, then, Change.ADDED, null, Map.of(), 17, true));
        ImportedState total = new ImportedState("elsewhere", true, 5, 0);
        ImportedState end = new ImportedState("elsewhere", true, 17, 40);
        int runs = sweep((process, token) -> {
            String name = token.value();
            MigrationStore into = backend().migration();
            assertThat(sent(() -> into.importBase(ChangeTarget.Kind.COUNTER, name, total, commit())))
                    .isEqualTo(total);
            assertThat(sent(() -> into.importBase(ChangeTarget.Kind.SEQUENCE, name, end, commit())))
                    .isEqualTo(end);
            sent(() -> into.copy(name, entries, commit()));
            sent(() -> into.importSubject(name, "s", true, commit()));
            assertThat(into.subject(name, "s", commit()).join()).contains(true);
            assertThat(process.counter(name).get()).isEqualTo(5);
            assertThat(process.sequence(name).read(1, 100)).isEqualTo(entries);
            assertThat(process.sequence(name).tail()).isEqualTo(new Tail(40, 17, null));
        });
        assertThat(count("CounterKitImport")).isEqualTo(2 * runs);
        assertThat(count("CounterKitEntry")).isEqualTo(3 * runs);
        assertThat(count("CounterKitToken")).isZero();
    }

    /** Sends a change again after the one fault, since it is applied once however often it is sent. */
    private static <T> T sent(Supplier<CompletableFuture<T>> change) {
        try {
            return join(change.get());
        } catch (NotAppliedException | IllegalStateException e) {
            return join(change.get());
        }
    }

    @Test
    void adoption() {
        for (long number = 1; number <= 30; number++) {
            Entity record = new Entity("Record", "r" + number);
            record.setProperty("id", number);
            datastore.put(null, record);
        }
        List<String> adopted = new ArrayList<>();
        sweep((process, token) -> {
            adopted.add(token.value());
            assertThat(backend()
                            .adopt(token.value(), Adoption.of("Record", "id"))
                            .adopted())
                    .isTrue();
        });
        assertThat(adopted.stream().distinct())
                .allSatisfy(name -> assertThat(counters.sequence(name).tail()).isEqualTo(new Tail(30, 30, null)));
        assertThat(count("CounterKitEntry"))
                .isEqualTo(30 * (int) adopted.stream().distinct().count());
    }

    @Test
    void purgeOfTokens() {
        sweep((process, token) -> {
            counters.counter("c").add(1, token);
            for (int days = 2; days <= 4; days += 2) { // the first purge marks, the second removes
                Duration since = Duration.ofDays(days);
                DatastoreSequenceBackend later = DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                        .clock(() -> Instant.now().plus(since))
                        .build());
                later.purgeTokens(500);
                later.purgeTokens(500);
            }
        });
        assertThat(count("CounterKitToken")).isZero();
    }
}
