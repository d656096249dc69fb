package io.counterkit.migration.internal.routing;

import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The entries of a sequence that has moved: at the target those that it has, at the source the rest. */
class MovedEntries {
    private final StorePair ends;

    MovedEntries(StorePair ends) {
        this.ends = ends;
    }

    /** The target is read first: what is not there then, and was not erased before this call, the source has for good. */
    CompletableFuture<List<Entry>> read(String sequence, NumberRange range, MoveRecord moved, Call call) {
        return ends.ask(call, () -> ends.target().sequences().read(sequence, range, call))
                .thenCompose(found -> {
                    long to = Math.min(range.to(), moved.base().last());
                    long copied =
                            found.stream().filter(entry -> entry.number() <= to).count();
                    return copied >= to - range.from() + 1
                            ? CompletableFuture.completedFuture(found)
                            : readRest(sequence, new NumberRange(range.from(), to), found, call);
                });
    }

    private CompletableFuture<List<Entry>> readRest(String sequence, NumberRange range, List<Entry> found, Call call) {
        return ends.ask(call, () -> ends.source().sequences().read(sequence, range, call))
                .thenApply(rest -> {
                    Map<Long, Entry> entries = new TreeMap<>();
                    rest.forEach(entry -> entries.put(entry.number(), entry));
                    found.forEach(entry -> entries.put(entry.number(), entry));
                    return List.copyOf(entries.values());
                });
    }

    /**
     * Erases an entry in both places. One from before the move is put into the target first, so that nobody who copies
     * entries can bring its fields back later; then the source is blanked; then the target, which is what readers see
     * and what the commit stands for.
     */
    CompletableFuture<Boolean> erase(String sequence, long number, MoveRecord moved, Commit commit) {
        CompletableFuture<?> prepared = number > moved.base().last()
                ? CompletableFuture.completedFuture(true)
                : bringOver(sequence, number, commit).thenCompose(there -> blankSource(sequence, number, commit));
        return Futures.beforehand(prepared, "erasing entry " + number + " of '" + sequence + "'")
                .thenCompose(ready ->
                        ends.ask(commit, () -> ends.target().sequences().erase(sequence, number, commit)));
    }

    CompletableFuture<?> bringOver(String sequence, long number, Call call) {
        return ends.ask(call, () -> ends.source().sequences().read(sequence, new NumberRange(number, number), call))
                .thenCompose(
                        entry -> ends.ask(call, () -> ends.target().migration().copy(sequence, entry, call)));
    }

    /** Under a token of its own: the caller's says that the target was blanked too. */
    private CompletableFuture<?> blankSource(String sequence, long number, Call call) {
        Commit commit = new Commit(call.remaining(), ends.options().random(), CountersListener.disabled());
        return ends.ask(commit, () -> ends.source().sequences().erase(sequence, number, commit));
    }
}
