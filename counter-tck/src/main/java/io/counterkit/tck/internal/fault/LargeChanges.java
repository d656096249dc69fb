package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Many concurrent changes, which share commits, for runs with faults. Checks each outcome. */
public final class LargeChanges {
    private static final int MANY = 120;
    private static final int MOST_COPIED = 100;

    private final Stage stage;

    public LargeChanges(Stage stage) {
        this.stage = stage;
    }

    /** A change of many parts, which are sent together. */
    public interface Parts {
        /** Sends all parts. */
        List<? extends CompletableFuture<?>> send();

        /** Returns how often each part was applied. */
        List<Long> applied();

        /** Resolves a part that failed with this unknown outcome, and returns whether it was applied. */
        default boolean resolve(int part, OutcomeUnknownException unknown, Counters resolving) {
            return Outcomes.isApplied(resolving, unknown.token());
        }
    }

    /** Returns adds of 1 to many counters, every second one with a token. */
    public Parts adds() {
        List<String> names = Stream.generate(stage::name).limit(MANY).toList();
        return new Parts() {
            @Override
            public List<? extends CompletableFuture<?>> send() {
                List<CompletableFuture<?>> sent = new ArrayList<>();
                for (String name : names) {
                    var counter = stage.acting().counter(name).async();
                    sent.add(sent.size() % 2 == 0 ? counter.add(1) : counter.add(1, IdempotencyToken.random()));
                }
                return sent;
            }

            @Override
            public List<Long> applied() {
                Map<String, Long> totals =
                        stage.observing().readAll(names, Duration.ZERO).values();
                return names.stream().map(totals::get).toList();
            }
        };
    }

    /** Returns appends of many entries to one sequence, every second one with a token. */
    public Parts appends() {
        String name = stage.name();
        return new Parts() {
            @Override
            public List<? extends CompletableFuture<?>> send() {
                var sequence = stage.acting().sequence(name).async();
                List<CompletableFuture<?>> sent = new ArrayList<>();
                for (int i = 0; i < MANY; i++) {
                    Map<String, Long> fields = Map.of("i", (long) i);
                    sent.add(i % 2 == 0 ? sequence.append(fields) : sequence.append(fields, IdempotencyToken.random()));
                }
                return sent;
            }

            @Override
            public List<Long> applied() {
                Sequence sequence = stage.observing().sequence(name);
                List<Entry> entries = SequenceHistory.all(sequence);
                SequenceHistory.checkOneTo(
                        sequence.last(), entries.stream().map(Entry::number).toList(), "the numbers of the entries");
                return IntStream.range(0, MANY)
                        .mapToObj(i -> entries.stream()
                                .filter(entry ->
                                        Long.valueOf(i).equals(entry.fields().get("i")))
                                .count())
                        .toList();
            }
        };
    }

    /** Makes a change with faults and checks each outcome. Returns whether a fault hit a call. */
    public boolean apply(String label, Parts change, InjectedFaults faults) {
        List<@Nullable Throwable> failures = new ArrayList<>();
        boolean isHit;
        try (faults) {
            change.send().forEach(part -> failures.add(Outcomes.failureOf(part)));
            isHit = faults.isHit();
        }
        List<Boolean> expected = IntStream.range(0, failures.size())
                .mapToObj(part -> isApplied(change, part, failures.get(part)))
                .toList();
        List<Long> applied = change.applied();
        for (int part = 0; part < applied.size(); part++) {
            Throwable failure = failures.get(part);
            assertThat(applied.get(part))
                    .as(
                            "%s: how often part %s of %s was applied, which %s",
                            label,
                            part + 1,
                            applied.size(),
                            failure == null
                                    ? "returned"
                                    : "failed with " + failure
                                            + (expected.get(part) ? ", and was resolved as applied" : ""))
                    .isEqualTo(expected.get(part) ? 1 : 0);
        }
        return isHit;
    }

    private boolean isApplied(Parts change, int part, @Nullable Throwable failure) {
        if (failure instanceof OutcomeUnknownException unknown) {
            return change.resolve(part, unknown, stage.observing());
        }
        assertThat(failure)
                .as("the failure of one of many changes that were sent together, which must state its outcome")
                .satisfiesAnyOf(
                        none -> assertThat(none).isNull(),
                        some -> assertThat(some).isInstanceOf(CounterException.class));
        return failure == null;
    }

    /** Copies many entries with faults, and again if that fails. Returns whether a fault hit a call. */
    public boolean copy(String label, Supplier<InjectedFaults> inject) {
        String name = stage.name();
        ImportedState base = new ImportedState("elsewhere", true, MOST_COPIED, MOST_COPIED);
        stage.observingBackend()
                .migration()
                .importBase(Kind.SEQUENCE, name, base, stage.commit())
                .join();
        List<Entry> entries = LongStream.rangeClosed(1, MOST_COPIED)
                .mapToObj(i -> new Entry(i, Instant.EPOCH, Change.ADDED, null, Map.of("i", i), i, false))
                .toList();
        @Nullable Throwable failure;
        boolean isHit;
        try (InjectedFaults faults = inject.get()) {
            failure = Outcomes.failureOf(stage.actingBackend().migration().copy(name, entries, stage.actingCommit()));
            isHit = faults.isHit();
        }
        Sequence sequence = stage.observing().sequence(name);
        if (failure instanceof NotAppliedException) {
            assertThat(sequence.read(1, MOST_COPIED))
                    .as("%s: the entries after a copy that was not applied", label)
                    .isEmpty();
        }
        if (failure != null) {
            stage.observingBackend()
                    .migration()
                    .copy(name, entries, stage.commit())
                    .join();
        }
        assertThat(sequence.read(1, MOST_COPIED))
                .as("%s: the entries after a copy%s", label, failure == null ? "" : " that was repeated")
                .isEqualTo(entries);
        return isHit;
    }
}
