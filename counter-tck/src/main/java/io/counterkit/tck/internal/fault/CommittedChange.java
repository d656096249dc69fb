package io.counterkit.tck.internal.fault;

import io.counterkit.Change;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * A change below the API layer, whose commit the caller chooses.
 *
 * @param label names the change in messages
 * @param target what its commit changes
 * @param send sends it; its future fails unless it was applied
 */
public record CommittedChange(
        String label, ChangeTarget target, BiFunction<CounterBackend, Commit, CompletableFuture<?>> send) {
    /** Returns a change of each kind that these capabilities allow, of this counter or of entry 1 of this sequence. */
    public static List<CommittedChange> all(Set<Capability> capabilities, String counter, String sequence) {
        ChangeTarget ofCounter = ChangeTarget.counter(counter);
        ChangeTarget ofSequence = ChangeTarget.sequence(sequence);
        List<CommittedChange> all = new ArrayList<>();
        all.add(new CommittedChange(
                "reset", ofCounter, (process, commit) -> process.counters().reset(counter, commit)));
        all.add(new CommittedChange(
                "deletion", ofCounter, (process, commit) -> process.counters().delete(counter, commit)));
        all.add(new CommittedChange(
                "add",
                ofCounter,
                (process, commit) -> process.counters()
                        .add(List.of(new AddRequest(counter, 1, null)), commit)
                        .thenAccept(results -> Outcomes.throwUnlessApplied(results.get(0)))));
        all.add(new CommittedChange(
                "append",
                ChangeTarget.append(sequence, 0),
                (process, commit) -> process.sequences()
                        .append(sequence, List.of(new AppendRequest(Change.ADDED, null, Map.of(), null)), commit)
                        .thenAccept(results -> Outcomes.throwUnlessApplied(results.get(0)))));
        all.add(new CommittedChange(
                "erasure", ofSequence, (process, commit) -> process.sequences().erase(sequence, 1, commit)));
        if (capabilities.contains(Capability.SEAL_COUNTERS)) {
            all.add(new CommittedChange(
                    "seal of the counter",
                    ofCounter,
                    (process, commit) -> process.counters().seal(counter, "elsewhere", commit)));
        }
        if (capabilities.contains(Capability.SEAL_SEQUENCES)) {
            all.add(new CommittedChange(
                    "seal of the sequence",
                    ofSequence,
                    (process, commit) -> process.sequences().seal(sequence, "elsewhere", commit)));
        }
        return all;
    }
}
