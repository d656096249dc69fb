package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.apphosting.api.ApiProxy;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deadlines of calls to the store. */
class CallsInTimeTest extends StoreTest {
    private static Counters within(Duration deadline) {
        return Counters.over(
                backend(), CountersOptions.builder().deadline(deadline).build());
    }

    /** The first calls of a JVM are slow. */
    @BeforeEach
    void warmUp() {
        counters().sequence("warm").next();
    }

    /** The API keeps a client for each deadline. */
    @Test
    void deadlinesOfCallsAreFew() {
        for (int millis = 4_000; millis < 30_000; millis += 97) {
            assertThat(within(Duration.ofMillis(millis)).sequence("s").next()).isPositive();
        }
        assertThat(store.delegate().deadlines())
                .hasSizeLessThan(14)
                .allSatisfy(seconds -> assertThat(seconds).isBetween(0.01, 30 * 0.75));
    }

    @Test
    void unansweredQueryLeavesTimeToProbe() {
        counters().sequence("s").next();
        store.delegate().disturb(method -> method.equals("RunQuery") ? Disturbance.hold() : null);
        assertThat(within(Duration.ofSeconds(8)).sequence("s").next()).isEqualTo(2);
    }

    @Test
    void unansweredCommitLeavesTimeToResolveIt() {
        for (boolean isCarriedOut : new boolean[] {false, true}) {
            String name = "s" + isCarriedOut;
            AtomicInteger commits = new AtomicInteger();
            store.delegate().disturb(method -> {
                if (!method.equals("Commit") || commits.incrementAndGet() > 1) {
                    return null;
                }
                return isCarriedOut ? Disturbance.loseReply(Disturbance.StoreError.TIMEOUT) : Disturbance.hold();
            });
            assertThat(within(Duration.ofSeconds(8)).sequence(name).next()).isEqualTo(1);
            store.delegate().release();
            assertThat(counters().sequence(name).last()).isEqualTo(1);
        }
    }

    /** The caller must not take it for a change that was not applied. */
    @Test
    void appliedTokenWhoseEntryCannotBeReadIsNotReportedAsNotApplied() {
        IdempotencyToken token = IdempotencyToken.random();
        counters().sequence("s").append(Map.of(), token);
        Counters hasty = Counters.over(DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().maxAttempts(3).build()));
        AtomicInteger gets = new AtomicInteger();
        store.delegate()
                .disturb(method -> method.equals("Get") && gets.incrementAndGet() % 2 == 0
                        ? Disturbance.failBefore(Disturbance.StoreError.TIMEOUT)
                        : null);
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> hasty.sequence("s").append(Map.of(), token))
                .satisfies(e -> assertThat(e.token()).isEqualTo(token));
        store.delegate().release();
        assertThat(counters().sequence("s").append(Map.of(), token).number()).isEqualTo(1);
    }

    @Test
    void requestThatIsTooLargeIsNotRetried() {
        AtomicInteger puts = new AtomicInteger();
        store.delegate().disturb(method -> {
            if (method.equals("Put")) {
                puts.incrementAndGet();
                throw new ApiProxy.RequestTooLargeException("datastore_v3", method);
            }
            return null;
        });
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> counters().sequence("s").next());
        assertThat(puts).hasValue(1);
    }
}
