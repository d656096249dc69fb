package io.counterkit.tck.chapter.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 4, continued: concurrent batches of adds. */
public abstract class AddRacesChapter extends Chapter {
    private static final int ROUNDS = 16;
    private static final int CALLERS = 4;

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 4;

    @Test
    @Rule(
            value = "4.14",
            lookAt = "whether a batch of several adds looks for tokens and seals in the step that adds, as a single"
                    + " add does")
    final void spec414_concurrentBatchesOfAddsHaveAnOrder() throws Exception {
        List<CounterBackend> processes = List.of(backend(), backend());
        List<TimedTrial> trials = new ArrayList<>();
        boolean canSeal = declares(Capability.SEAL_COUNTERS)
                && !processes.get(0).counters().limits().onePerName();
        for (int round = 0; round < ROUNDS; round++) {
            boolean isSealed = canSeal && round % 2 == 1;
            trials.add(round < 2 ? () -> late(processes, isSealed) : () -> race(processes, isSealed));
        }
        timeBox.runBriefly(trials, LEAST);
    }

    /**
     * The counters of a trial, the last of which may be sealed, and the adds that all batches contain.
     *
     * @param shared the adds with tokens that all batches have in common
     */
    private record Scene(List<String> names, List<AddRequest> shared) {
        String last() {
            return names.get(names.size() - 1);
        }

        /**
         * Returns the batch of a caller: the shared adds and adds of its own, in an order that depends on the caller.
         */
        List<AddRequest> batch(int caller) {
            List<AddRequest> requests = new ArrayList<>(shared);
            names.stream().distinct().forEach(name -> requests.add(new AddRequest(name, 100, null)));
            requests.add(new AddRequest(last(), 1_000, IdempotencyToken.random()));
            Collections.rotate(requests, caller);
            return requests;
        }
    }

    /** A batch and its results. */
    private record Sent(List<AddRequest> requests, List<Result<Void>> results) {}

    private Scene scene(CounterBackend process) {
        boolean onePerName = process.counters().limits().onePerName();
        String only = name();
        List<String> names = onePerName ? Collections.nCopies(3, only) : List.of(only, name(), name());
        return new Scene(
                names,
                List.of(
                        new AddRequest(names.get(0), 1, IdempotencyToken.random()),
                        new AddRequest(names.get(1), 1, IdempotencyToken.random())));
    }

    private Sent send(CounterBackend process, List<AddRequest> requests) {
        return new Sent(requests, Batches.addInParts(process.counters(), requests, this::commit));
    }

    private @Nullable Seal seal(Scene scene, boolean isSealed) {
        return isSealed ? there().counter(scene.last()).seal("elsewhere") : null;
    }

    /** Sends batches from two processes concurrently, and seals one of their counters. */
    private void race(List<CounterBackend> processes, boolean isSealed) throws Exception {
        Scene scene = scene(processes.get(0));
        List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
        tasks().runAtOnce(CALLERS + 1, caller -> {
            if (caller == CALLERS) {
                seal(scene, isSealed);
            } else {
                sent.add(send(processes.get(caller % 2), scene.batch(caller)));
            }
        });
        check("sent concurrently", scene, sent, seal(scene, isSealed));
    }

    /** Holds each call of a batch in turn, while another process sends a batch and seals one of the counters. */
    private void late(List<CounterBackend> processes, boolean isSealed) throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            Scene scene = scene(processes.get(0));
            Overtaken<Sent, Sent> sent = tasks().overtake(call, () -> send(processes.get(0), scene.batch(0)), () -> {
                Sent other = send(processes.get(1), scene.batch(1));
                seal(scene, isSealed);
                return other;
            });
            isHeld = sent.isHeld();
            check(
                    "the first one held at call " + call,
                    scene,
                    List.of(sent.result(), sent.other()),
                    seal(scene, isSealed));
        }
    }

    /** Checks that each token was applied once, and that the totals are the sums of the adds that were applied. */
    private void check(String how, Scene scene, List<Sent> sent, @Nullable Seal seal) {
        String label = "batches of adds, " + how + ": " + sent;
        for (AddRequest shared : scene.shared()) {
            assertThat(there().resolve(Objects.requireNonNull(shared.token())))
                    .as("the resolution of the token of %s after %s", shared, label)
                    .isEqualTo(new Resolution.Added(shared.name(), shared.delta()));
        }
        for (String name : scene.names().stream().distinct().toList()) {
            Seal own = name.equals(scene.last()) ? seal : null;
            long total = 0;
            for (AddRequest shared : scene.shared()) {
                total += shared.name().equals(name) ? shared.delta() : 0;
            }
            for (Sent each : sent) {
                for (int i = 0; i < each.requests().size(); i++) {
                    AddRequest request = each.requests().get(i);
                    Result<Void> result = each.results().get(i);
                    if (request.name().equals(name)) {
                        assertThat(result.isApplied() || (own != null && result.failure() instanceof SealedException))
                                .as(
                                        "whether the result %s of %s is applied, or the refusal by a seal of its"
                                                + " counter, in %s",
                                        result, request, label)
                                .isTrue();
                        total += result.isApplied() && !scene.shared().contains(request) ? request.delta() : 0;
                    }
                }
            }
            assertThat(here().counter(name).get())
                    .as("the total of '%s' after %s", name, label)
                    .isEqualTo(total);
            if (own != null) {
                assertThat(own.last())
                        .as("the total in the seal after %s", label)
                        .isEqualTo(total);
            }
        }
    }
}
