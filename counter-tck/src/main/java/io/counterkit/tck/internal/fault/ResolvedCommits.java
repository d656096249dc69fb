package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.Outcome;
import io.counterkit.Resolution;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Commits of each kind of change that were resolved as not applied before they were sent. */
public record ResolvedCommits(Map<Commit, CommittedChange> changes) {
    /** Resolves a commit of each kind of change of this counter, and of this sequence or its entry 1. */
    public static ResolvedCommits of(
            CounterBackend resolving, Supplier<Commit> commits, String counter, String sequence) {
        Map<Commit, CommittedChange> changes = new LinkedHashMap<>();
        for (CommittedChange change : CommittedChange.all(resolving.capabilities(), counter, sequence)) {
            Commit commit = commits.get();
            assertThat(resolving
                            .resolve(commit.token(), change.target(), commits.get())
                            .join())
                    .as("the resolution of a commit of the %s that was not sent", change.label())
                    .isEqualTo(new Resolution.NotApplied());
            changes.put(commit, change);
        }
        return new ResolvedCommits(changes);
    }

    /** Sends the changes, and checks that each of them fails as not applied. */
    public void check(CounterBackend sending, String when) {
        changes.forEach((commit, change) -> {
            String label = "the failure of the " + change.label() + ", sent " + when
                    + ", whose commit was resolved as not applied before";
            assertThat(Outcomes.failureOf(change.send().apply(sending, commit)))
                    .as(label)
                    .isInstanceOfSatisfying(
                            CounterException.class,
                            failure -> assertThat(failure.outcome())
                                    .as("the outcome of %s", label)
                                    .isEqualTo(Outcome.NOT_APPLIED));
        });
    }
}
