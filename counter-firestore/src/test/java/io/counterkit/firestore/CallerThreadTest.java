package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.PromptReplies;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests calls whose reply Google's client takes on the caller's thread, since it arrived at once. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallerThreadTest {
    private static final Map<String, Function<Counters, CompletableFuture<?>>> CHANGES = Map.of(
            "add", counters -> counters.counter("c").async().add(1),
            "reset", counters -> counters.counter("reset").async().reset(),
            "append", counters -> counters.sequence("s").async().append(Map.of()));
    private static final Map<String, Function<Counters, CompletableFuture<?>>> READS = Map.of(
            "read", counters -> counters.counter("c").async().get(),
            "read that writes a roll-up", counters -> counters.async().readAll(List.of("c"), Duration.ofHours(1)),
            "read of entries", counters -> counters.sequence("s").async().read(1, 1),
            "list", counters -> counters.async().counterNames("", null, 9));

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters observing = Counters.over(fixture.connect());
    private final SoftAssertions softly = new SoftAssertions();

    @BeforeEach
    void create() {
        observing.counter("c").add(5);
        observing.counter("reset").add(5);
        observing.sequence("s").append(Change.ADDED, "a", Map.of());
    }

    @AfterEach
    void close() {
        observing.close();
        fixture.close();
    }

    @Test
    void interruptBeforeTheCall_isKept_andChangesNoOutcome() {
        Runnable nothing = () -> {};
        READS.forEach((label, read) -> call(label, nothing, counters -> interrupted(label, read, counters)));
        CHANGES.forEach((label, change) -> call(label, nothing, counters -> interrupted(label, change, counters)));
        softly.assertAll();
        assertChanged();
    }

    private CompletableFuture<?> interrupted(
            String label, Function<Counters, CompletableFuture<?>> call, Counters counters) {
        Thread.currentThread().interrupt();
        CompletableFuture<?> answer = call.apply(counters);
        softly.assertThat(Thread.interrupted()).as("%s: the flag", label).isTrue();
        return answer;
    }

    /** Such an interrupt may be lost: the client clears the flag of a read without a trace. */
    @Test
    void interruptWhenTheReplyHasArrived_changesNoOutcome() {
        Runnable interrupt = Thread.currentThread()::interrupt;
        Stream.of(READS, CHANGES)
                .forEach(calls -> calls.forEach((label, made) -> call(label, interrupt, counters -> {
                    CompletableFuture<?> answer = made.apply(counters);
                    boolean unused = Thread.interrupted();
                    return answer;
                })));
        softly.assertAll();
        assertChanged();
    }

    private void assertChanged() {
        assertThat(observing.counter("c").get()).isEqualTo(6);
        assertThat(observing.counter("reset").get()).isZero();
        assertThat(observing.sequence("s").tail().last()).isEqualTo(2);
    }

    /** Makes a call in another process, and checks that it succeeds. */
    private void call(String label, Runnable replied, Function<Counters, CompletableFuture<?>> call) {
        Firestore client = ClientRetries.DEFAULT.connect(
                FirestoreFixture.emulator(), fixture.project(), new PromptReplies(Thread.currentThread(), replied));
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(client))) {
            CompletableFuture<?> answer = call.apply(counters);
            softly.assertThatCode(answer::join).as(label).doesNotThrowAnyException();
        } finally {
            client.shutdown();
        }
    }

    @Test
    void clientThatEndsBeforeItsOwnRetry_leavesTheOutcomeUnknown() {
        Runnable[] replied = {() -> {}};
        Firestore client = ClientRetries.DEFAULT.connect(
                FirestoreFixture.emulator(),
                fixture.project(),
                fixture.faults(),
                new PromptReplies(Thread.currentThread(), () -> replied[0].run()));
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(client))) {
            counters.counter("c").async().add(1).join();
            fixture.faults().inject(StoreFault.LOSE_REPLY, 1);
            replied[0] = client::shutdown;
            assertThatThrownBy(counters.counter("c").async().add(1)::join)
                    .hasCauseInstanceOf(OutcomeUnknownException.class);
        }
        assertThat(observing.counter("c").get()).isEqualTo(7);
    }
}
