package io.counterkit.tck.internal.pair;

import io.counterkit.ContentionException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The name and the token that the operations of a trial have in common.
 *
 * @param name a counter or a sequence
 * @param token a token that any of the operations may use
 */
record Scene(Kind kind, String name, IdempotencyToken token, Supplier<Commit> commits) {
    /** The answer of an operation that is certainly not applied. */
    static final String NOT_APPLIED = NotAppliedException.class.getSimpleName();

    Commit commit() {
        return commits.get();
    }

    /** Returns a text without what differs between two scenes. */
    String neutral(String text) {
        return text.replace(name, "NAME").replace(token.value(), "TOKEN");
    }

    /** Returns what a call answers, or its failure, in words that are the same for each name. */
    String answer(Supplier<? extends CompletableFuture<?>> call) {
        try {
            return neutral(String.valueOf((@Nullable Object) call.get().join()));
        } catch (CompletionException e) {
            Throwable failure = Futures.unwrap(e);
            if (failure instanceof SealedException sealed) {
                return neutral("refused: " + sealed.seal());
            }
            return failure instanceof ContentionException
                    ? NOT_APPLIED
                    : failure.getClass().getSimpleName();
        }
    }

    /**
     * Makes every kind of read of the name that does not lag, one after another, and returns their results.
     *
     * @param hasLists whether its lists show each change immediately
     */
    List<String> strongReads(CounterBackend observing, boolean hasLists) {
        return PairedReads.strong(kind, observing.capabilities(), hasLists).stream()
                .map(read -> answer(() -> read.sent().to(observing, this)))
                .toList();
    }

    /** Returns the state of the name, as a process that does not act reads it. */
    String state(CounterBackend observing) {
        List<String> state = new ArrayList<>(strongReads(observing, false));
        if (kind == Kind.SEQUENCE && observing.capabilities().contains(Capability.IMPORT)) {
            state.add(answer(() -> observing.migration().subject(name, "u", commit())));
        }
        state.add(answer(() -> observing.resolve(token, null, commit())));
        return String.join(", ", state);
    }
}
