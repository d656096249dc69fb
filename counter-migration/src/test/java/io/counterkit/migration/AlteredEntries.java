package io.counterkit.migration;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A backend whose entries differ from those appended, as if they had been edited in the store. */
final class AlteredEntries {
    private AlteredEntries() {}

    private static CounterBackend altered(CounterBackend backend, UnaryOperator<List<Entry>> alteration) {
        return new ForwardingCounterBackend(
                backend, backend.counters(), new ForwardingSequenceStore(backend.sequences()) {
                    @Override
                    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
                        return store.read(sequence, range, call).thenApply(alteration);
                    }
                });
    }

    /** Removes the entry of this number. */
    static CounterBackend without(CounterBackend backend, long number) {
        return altered(
                backend,
                entries -> entries.stream()
                        .filter(entry -> entry.number() != number)
                        .toList());
    }

    /** Changes the live count in the entry of this number. */
    static CounterBackend withCount(CounterBackend backend, long number, long liveCount) {
        return altered(
                backend,
                entries -> entries.stream()
                        .map(entry -> entry.number() != number ? entry : withCount(entry, liveCount))
                        .toList());
    }

    private static Entry withCount(Entry entry, long liveCount) {
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                entry.fields(),
                liveCount,
                entry.erased());
    }
}
