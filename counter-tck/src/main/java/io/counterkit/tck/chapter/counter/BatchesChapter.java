package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.ListedNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Chapter 2, continued: mixed batches, in which each request has the outcome that it would have alone. */
public abstract class BatchesChapter extends Chapter {
    private static final int BATCHES = 40;

    private static final List<Long> LARGE =
            List.of((1L << 24) + 1, 1L << 31, -(1L << 31) - 1, 1L << 32, (1L << 53) - 1, -(1L << 53));

    /** The outcome of a request that is new. */
    private static final Class<?> APPLIED = Void.class;

    /** The outcome of a request that was applied earlier. */
    private static final Class<?> SEEN = IdempotencyToken.class;

    @Test
    @Rule(
            value = "2.8",
            lookAt = "how a batch continues after each kind of request: applied earlier, refused, resolved, sealed,"
                    + " with the token of an append, without a token")
    final void spec208_eachAddOfAMixedBatchHasItsOwnOutcome() {
        CounterBackend backend = backend();
        boolean onePerName = backend.counters().limits().onePerName();
        List<String> open = List.of(name(), name(), name());
        Map<String, Long> totals = new HashMap<>();
        List<AddRequest> seen = new ArrayList<>();
        String sealed = name();
        if (declares(Capability.SEAL_COUNTERS)) {
            here().counter(sealed).seal("elsewhere");
        }
        for (int batch = 0; batch < BATCHES; batch++) {
            List<AddRequest> requests = new ArrayList<>();
            List<Class<?>> expected = new ArrayList<>();
            List<String> names = onePerName ? List.of(open.get(random.nextInt(3))) : open;
            int room = Batches.room(
                    backend.counters().limits(), backend.counters().weight(new AddRequest(sealed, 1, null)));
            for (String name : names) {
                add(requests, expected, new AddRequest(name, delta(), null), APPLIED, room);
                add(requests, expected, new AddRequest(name, delta(), IdempotencyToken.random()), APPLIED, room);
            }
            if (!seen.isEmpty()) {
                AddRequest known = seen.get(random.nextInt(seen.size()));
                boolean isOther = random.nextBoolean();
                if (names.contains(known.name())) {
                    add(
                            requests,
                            expected,
                            isOther ? new AddRequest(known.name(), known.delta() + 1, known.token()) : known,
                            isOther ? TokenRefusedException.class : SEEN,
                            room);
                }
            }
            if (batch % 3 == 0) {
                IdempotencyToken never = IdempotencyToken.random();
                there().resolve(never);
                add(requests, expected, new AddRequest(names.get(0), 1, never), TokenRefusedException.class, room);
            }
            if (batch % 3 == 1) {
                IdempotencyToken ofAppend = IdempotencyToken.random();
                here().sequence(names.get(0)).append(Map.of(), ofAppend);
                add(requests, expected, new AddRequest(names.get(0), 1, ofAppend), TokenRefusedException.class, room);
            }
            if (declares(Capability.SEAL_COUNTERS) && !onePerName) {
                IdempotencyToken token = random.nextBoolean() ? IdempotencyToken.random() : null;
                add(requests, expected, new AddRequest(sealed, 1, token), SealedException.class, room);
            }
            Collections.shuffle(requests, new Random(seed + batch));
            Collections.shuffle(expected, new Random(seed + batch));
            List<Result<Void>> results = Batches.add(backend.counters(), requests, this::commit);
            for (int i = 0; i < requests.size(); i++) {
                AddRequest request = requests.get(i);
                CounterException failure = results.get(i).failure();
                assertThat(failure == null ? APPLIED : failure.getClass())
                        .as("seed %s: the result of %s in the batch %s", seed, request, requests)
                        .isEqualTo(expected.get(i) == SEEN ? APPLIED : expected.get(i));
                if (expected.get(i) == APPLIED) {
                    totals.merge(request.name(), request.delta(), Long::sum);
                    if (request.token() != null) {
                        seen.add(request);
                    }
                }
            }
        }
        totals.forEach((name, total) -> assertThat(there().counter(name).get())
                .as("seed %s: the total of '%s'", seed, name)
                .isEqualTo(total));
        for (AddRequest request : seen.subList(0, Math.min(20, seen.size()))) {
            assertThat(there().resolve(Objects.requireNonNull(request.token())))
                    .isEqualTo(new Resolution.Added(request.name(), request.delta()));
        }
        if (declares(Capability.IMPORT)) {
            assertNeighboursOfAnOverflow(backend);
        }
        AddRequest one = new AddRequest(sealed, 1, IdempotencyToken.random());
        if (Batches.room(backend.counters().limits(), backend.counters().weight(one)) > 1) {
            assertPresentAfterNothing(backend);
            assertAbsentAfterRefusals(backend, onePerName);
        }
    }

    /** Sends a batch with an add after which the total does not fit into 64 bits. */
    private void assertNeighboursOfAnOverflow(CounterBackend backend) {
        String full = name();
        String other = name();
        backend.migration()
                .importBase(Kind.COUNTER, full, new ImportedState("elsewhere", true, Long.MAX_VALUE, 0), commit())
                .join();
        List<AddRequest> batch = List.of(
                new AddRequest(other, 1, null),
                new AddRequest(full, 1, IdempotencyToken.random()),
                new AddRequest(other, 2, IdempotencyToken.random()));
        if (Batches.accepts(backend.counters(), batch)) {
            List<Result<Void>> results = Batches.add(backend.counters(), batch, this::commit);
            assertThat(List.of(results.get(0), results.get(2)))
                    .as("the results of the other adds in a batch with one after which the total does not fit"
                            + " into 64 bits")
                    .allMatch(Result::isApplied);
            assertTotalElsewhere(other, 3);
            assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(there().counter(full)::get);
        }
    }

    /** Checks that a counter stays absent if its only add in a batch is refused. */
    private void assertAbsentAfterRefusals(CounterBackend backend, boolean onePerName) {
        IdempotencyToken used = IdempotencyToken.random();
        here().counter(name()).add(1, used);
        IdempotencyToken never = IdempotencyToken.random();
        there().resolve(never);
        String absent = name();
        String other = onePerName ? absent : name();
        List<Result<Void>> results = Batches.add(
                backend.counters(),
                List.of(new AddRequest(absent, 7, used), new AddRequest(other, 7, never)),
                this::commit);
        assertThat(results)
                .as("the results of adds with tokens that were used for another change or resolved as not applied")
                .allSatisfy(result -> assertThat(result.failure()).isInstanceOf(TokenRefusedException.class));
        for (String name : List.of(absent, other)) {
            assertThat(ListedNames.from(null, cursor -> there().counterNames(name, cursor, 10)))
                    .as("the names listed for an absent counter whose only add in a batch was refused")
                    .isEmpty();
        }
    }

    /** Checks that adds of one batch whose sum is 0 make their counter present, and use their tokens. */
    private void assertPresentAfterNothing(CounterBackend backend) {
        String name = name();
        List<AddRequest> requests = List.of(
                new AddRequest(name, 7, IdempotencyToken.random()),
                new AddRequest(name, -7, IdempotencyToken.random()));
        assertThat(Batches.add(backend.counters(), requests, this::commit))
                .as("the results of adds of one batch whose sum is 0")
                .containsOnly(Result.applied());
        assertTotalElsewhere(name, 0);
        awaitLists(() -> assertThat(ListedNames.from(null, cursor -> there().counterNames(name, cursor, 10)))
                .as("the names listed after adds of one batch whose sum is 0, which make the counter present")
                .containsExactly(name));
        requests.forEach(request -> assertThat(there().resolve(Objects.requireNonNull(request.token())))
                .isEqualTo(new Resolution.Added(name, request.delta())));
    }

    /** Returns a small delta, so that sums are often 0, or one that not every numeric type can represent. */
    private long delta() {
        return random.nextInt(4) > 0 ? random.nextInt(-3, 4) : LARGE.get(random.nextInt(LARGE.size()));
    }

    private void add(
            List<AddRequest> requests, List<Class<?>> expected, AddRequest request, Class<?> outcome, int room) {
        boolean isTokenNew = request.token() == null
                || requests.stream().noneMatch(other -> request.token().equals(other.token()));
        if ((requests.size() < room && isTokenNew && random.nextInt(4) > 0) || requests.isEmpty()) {
            requests.add(request);
            expected.add(outcome);
        }
    }
}
