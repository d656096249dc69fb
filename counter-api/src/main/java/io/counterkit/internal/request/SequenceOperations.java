package io.counterkit.internal.request;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations on sequences, except appends: checks their arguments and sends them to the backend. */
final class SequenceOperations {
    private final SequenceStore store;
    private final Set<Capability> capabilities;
    private final BackendInvoker invoker;

    SequenceOperations(CounterBackend backend, Set<Capability> capabilities, BackendInvoker invoker) {
        this.store = backend.sequences();
        this.capabilities = capabilities;
        this.invoker = invoker;
    }

    PendingRequest<Tail> tail(String sequence) {
        return invoker.read("reading the tail of '" + sequence + "'", call -> store.tail(sequence, call));
    }

    PendingRequest<List<Entry>> read(String sequence, long from, long to) {
        NumberRange range = new NumberRange(from, to);
        if (range.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException("entries " + from + " to " + to + " are " + range.size()
                    + " numbers: read at most " + Limits.MAX_PAGE + " at once");
        }
        return invoker.read(
                "reading '" + sequence + "' " + from + " to " + to, call -> store.read(sequence, range, call));
    }

    PendingRequest<Boolean> erase(String sequence, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("number " + number + ": numbers start at 1");
        }
        return invoker.change(
                "erasing entry " + number + " of '" + sequence + "'",
                ChangeTarget.sequence(sequence),
                commit -> store.erase(sequence, number, commit));
    }

    /** Throws an exception if there was nothing to erase. */
    static void checkErased(String sequence, long number, boolean erased) {
        if (!erased) {
            throw new IllegalArgumentException(
                    "'" + sequence + "' has no entry " + number + ": numbers go from 1 to its last one");
        }
    }

    PendingRequest<Seal> seal(String sequence, String forward) {
        Arguments.checkForward(forward);
        Arguments.require(Capability.SEAL_SEQUENCES, capabilities);
        return invoker.change(
                "sealing '" + sequence + "'",
                ChangeTarget.sequence(sequence),
                commit -> store.seal(sequence, forward, commit));
    }

    PendingRequest<NamePage> names(String prefix, @Nullable String cursor, int limit) {
        Arguments.checkPage(prefix, limit);
        return invoker.read("listing sequences '" + prefix + "'", call -> store.names(prefix, cursor, limit, call));
    }
}
