package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.ResolvedCommits;
import io.counterkit.tck.internal.fault.Sweep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 5, continued: resolutions that fail or lose their replies. */
public abstract class FailedResolutionsChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(600);
    private static final Duration LATER = Duration.ofSeconds(60);

    @Test
    @Rule(
            value = "5.21",
            lookAt = "a resolution that reads the token and writes its decision in two calls: it is decided only when"
                    + " the second one has succeeded")
    final void spec521_resolutionThatReturnsIsDecided() {
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.singleAndPairs());
        plans.addAll(FaultPlan.outages());
        plans.add(FaultPlan.failing());
        Counters impatient = impatient(SOON);
        for (FaultPlan plan : plans) {
            Sweep.run("a resolution of a new token, " + plan.label(), (label, call) -> {
                IdempotencyToken token = IdempotencyToken.random();
                Counter counter = counter();
                Resolution resolution;
                boolean isHit;
                try (InjectedFaults faults = inject(plan, call)) {
                    resolution = resolveOrFail(() -> impatient.resolve(token));
                    isHit = faults.isHit();
                }
                String returned = resolution == null ? ", failed and was made again" : "";
                assertThat(resolution == null ? impatient.settle(token, LATER) : resolution)
                        .as("%s%s", label, returned)
                        .isEqualTo(new Resolution.NotApplied());
                assertThatExceptionOfType(TokenRefusedException.class)
                        .as("%s%s, returned that the token is not applied: the refusal of a later add", label, returned)
                        .isThrownBy(() -> elsewhere(counter).add(1, token));
                assertThat(counter.get())
                        .as("%s: the total after the refused add", label)
                        .isZero();
                return isHit;
            });
        }
        resolveCommits();
    }

    /** Resolves a commit of each kind of change with faults. */
    private void resolveCommits() {
        CounterBackend resolving = backend();
        CounterBackend sending = backend();
        Counter counter = counter(5);
        Sequence sequence = sequence();
        sequence.append(Map.of("secret", "x"));
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.single());
        plans.add(FaultPlan.failing());
        for (CommittedChange change : CommittedChange.all(sending.capabilities(), counter.name(), sequence.name())) {
            for (FaultPlan plan : plans) {
                Sweep.run(
                        "a resolution of the commit of the " + change.label() + ", " + plan.label(), (label, call) -> {
                            Commit commit = commit();
                            boolean isHit;
                            Resolution resolution;
                            try (InjectedFaults faults = inject(plan, call)) {
                                Call soon = new Call(SOON, CountersListener.disabled());
                                resolution = resolving
                                        .resolve(commit.token(), change.target(), soon)
                                        .exceptionally(failure -> null)
                                        .join();
                                isHit = faults.isHit();
                            }
                            if (resolution != null) {
                                assertThat(resolution).as(label).isEqualTo(new Resolution.NotApplied());
                                new ResolvedCommits(Map.of(commit, change)).check(sending, "after " + label);
                            }
                            return isHit;
                        });
            }
        }
    }

    private static @Nullable Resolution resolveOrFail(Supplier<Resolution> resolving) {
        try {
            return resolving.get();
        } catch (CounterException e) {
            return null;
        }
    }
}
