package io.counterkit.migration.internal.routing;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Reads and erases the entries of moved sequences. An entry that is not at the target is read from the source. */
class MovedEntries {
    private final StorePair stores;

    MovedEntries(StorePair stores) {
        this.stores = stores;
    }

    /** Reads the target first. Entries that are missing there can be read from the source at any time. */
    CompletableFuture<List<Entry>> read(String sequence, NumberRange range, MoveRecord moved, Call call) {
        return stores.send(call, () -> stores.target().sequences().read(sequence, range, call))
                .thenCompose(found -> {
                    long to = Math.min(range.to(), moved.base().last());
                    long copied =
                            found.stream().filter(entry -> entry.number() <= to).count();
                    return copied >= to - range.from() + 1
                            ? CompletableFuture.completedFuture(found)
                            : readMissing(sequence, new NumberRange(range.from(), to), found, call);
                });
    }

    /**
     * Adds the entries that are only at the source. An erasure copies its entry before it erases the original, and the
     * copy last. So if an original is erased, reads the copies again: its copy, if there is one now, shows whether the
     * erasure has taken effect.
     */
    private CompletableFuture<List<Entry>> readMissing(
            String sequence, NumberRange range, List<Entry> found, Call call) {
        return stores.send(call, () -> stores.source().sequences().read(sequence, range, call))
                .thenCompose(originals -> {
                    Map<Long, Entry> entries = byNumber(found);
                    boolean isAnyErased = originals.stream()
                            .anyMatch(original -> original.erased() && !entries.containsKey(original.number()));
                    originals.forEach(original -> entries.putIfAbsent(original.number(), original));
                    return isAnyErased
                            ? stores.send(
                                            call,
                                            () -> stores.target().sequences().read(sequence, range, call))
                                    .thenApply(copies -> {
                                        entries.putAll(byNumber(copies));
                                        return List.copyOf(entries.values());
                                    })
                            : CompletableFuture.completedFuture(List.copyOf(entries.values()));
                });
    }

    private static Map<Long, Entry> byNumber(List<Entry> entries) {
        Map<Long, Entry> byNumber = new TreeMap<>();
        entries.forEach(entry -> byNumber.put(entry.number(), entry));
        return byNumber;
    }

    /**
     * Erases an entry at both stores. An entry from before the move is first copied to the target, so that no copier
     * can restore its fields later. Then it is erased at the source, and last at the target, which readers see and
     * which the commit's token covers.
     */
    CompletableFuture<Boolean> erase(String sequence, long number, MoveRecord moved, Commit commit) {
        CompletableFuture<?> prepared = number > moved.base().last()
                ? CompletableFuture.completedFuture(true)
                : copy(sequence, number, commit).thenCompose(copied -> eraseAtSource(sequence, number, commit));
        return NotApplied.ifFailed(prepared, "erasing entry " + number + " of '" + sequence + "'")
                .thenCompose(ready ->
                        stores.send(commit, () -> stores.target().sequences().erase(sequence, number, commit)));
    }

    CompletableFuture<?> copy(String sequence, long number, Call call) {
        return stores.send(
                        call, () -> stores.source().sequences().read(sequence, new NumberRange(number, number), call))
                .thenCompose(entry ->
                        stores.send(call, () -> stores.target().migration().copy(sequence, entry, call)));
    }

    /** Uses another token, since the given commit covers the erasure at the target. */
    private CompletableFuture<?> eraseAtSource(String sequence, long number, Call call) {
        Commit commit = stores.newCommit(call);
        return stores.send(commit, () -> stores.source().sequences().erase(sequence, number, commit));
    }
}
