package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a failed call does not end a read, even if Google's client was configured to retry nothing. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RetriedReadsTest {
    /** No roll-up is fresh enough, so every call of a read is made. */
    private static final FirestoreCounterOptions OPTIONS = FirestoreCounterOptions.builder()
            .rollupCadence(Duration.ofMillis(1))
            .build();

    private static final FirestoreCounterOptions FRESH = FirestoreCounterOptions.builder()
            .rollupCadence(Duration.ofMillis(1))
            .keepFresh("")
            .build();

    private final TestStore store = new TestStore();

    @AfterEach
    void close() {
        store.close();
    }

    private interface Read {
        void run(TestStore store, String name);
    }

    static Stream<Arguments> reads() {
        return Stream.of(
                read(
                        "strong read",
                        OPTIONS,
                        (store, name) -> store.counters().counter(name).get()),
                read(
                        "late read",
                        OPTIONS,
                        (store, name) -> store.counters().counter(name).read(Duration.ofNanos(1))),
                read("many names", OPTIONS, (store, name) -> store.counters().counterNames(name)),
                read("largest", OPTIONS, (store, name) -> store.counters().top(name, 3)),
                read(
                        "largest by roll-ups",
                        FRESH,
                        (store, name) -> store.counters().top(name, 3)),
                read(
                        "roll-up",
                        OPTIONS,
                        (store, name) -> store.backend().rollUp(name).join()),
                read(
                        "description",
                        OPTIONS,
                        (store, name) -> store.backend().describe(name).join()),
                read(
                        "deployment",
                        OPTIONS,
                        (store, name) -> store.backend().checkDeployment().join()),
                read(
                        "resharding",
                        OPTIONS,
                        (store, name) -> store.backend().reshard(name, 3).join()),
                read(
                        "tail",
                        OPTIONS,
                        (store, name) -> store.counters().sequence(name).last()),
                read(
                        "entries",
                        OPTIONS,
                        (store, name) -> store.counters().sequence(name).read(1, 5)));
    }

    private static Arguments read(String what, FirestoreCounterOptions options, Read read) {
        return Arguments.of(what, options, read);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reads")
    void failedCall_isRetried(String what, FirestoreCounterOptions options, Read read) {
        String name = TestStore.name();
        store.counters().counter(name).add(1);
        store.counters().counter(name + "-2").add(1);
        store.counters().sequence(name).append(Map.of());
        boolean isHit = true;
        for (StoreFault kind : new StoreFault[] {StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY}) {
            isHit = true;
            for (int call = 1; isHit; call++) {
                try (TestStore disturbed = store.onTheSameDatabase(options, ClientRetries.NONE);
                        CallFault fault = disturbed.faults().inject(kind, call)) {
                    assertThatCode(() -> read.run(disturbed, name))
                            .as("%s of call %s", kind, call)
                            .doesNotThrowAnyException();
                    isHit = fault.isHit();
                    assertThat(isHit || call > 1).as("there is a call").isTrue();
                }
            }
        }
    }
}
