package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.internal.batch.OutcomesTest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A listener that throws whatever it hears. */
class ThrowingListenerTest {
    static final List<BatchLimits> LIMITS = OutcomesTest.LIMITS;

    private final Logger logger = Logger.getLogger(CountersListener.class.getName());
    private final List<Throwable> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord event) {
            logged.add(event.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void captureTheLog() {
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void restoreTheLog() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @ParameterizedTest
    @FieldSource("LIMITS")
    void exception_isLoggedAndOtherwiseIgnored(BatchLimits limits) {
        RuntimeException thrown = new IllegalStateException("no metrics today");

        check(limits, () -> {
            throw thrown;
        });

        assertThat(logged).isNotEmpty().containsOnly(thrown);
    }

    @ParameterizedTest
    @FieldSource("LIMITS")
    void error_isLoggedAndOtherwiseIgnored(BatchLimits limits) {
        Error thrown = new NoSuchMethodError("of another version of the metrics library");

        check(limits, () -> {
            throw thrown;
        });

        assertThat(logged).isNotEmpty().containsOnly(thrown);
    }

    private static void check(BatchLimits limits, Runnable event) {
        ScriptedBackend backend = ScriptedBackend.obedient(limits);
        CountersOptions options = CountersOptions.builder()
                .listener(new Everything(event))
                .queueLimit(1)
                .build();
        Counters counters = Counters.over(backend, options);
        Counter likes = counters.counter("likes");
        backend.adds().script(sent -> {
            report(sent.commit());
            return sent.succeeding();
        });

        likes.add(1);
        assertThat(likes.async().add(1)).isCompleted();
        assertThat(counters.sequence("invoices").append(Map.of()).number()).isEqualTo(1);
        assertThat(likes.get()).isZero();

        backend.others().on("reset", CompletableFuture::new);
        assertThat(likes.async().reset()).isNotDone();
        assertThat(Replies.failureOf(likes.async().add(1))).isInstanceOf(QueueFullException.class);
        assertThat(backend.adds().succeedAll()).extracting(Sent::requests).hasSize(2);
    }

    private static void report(Commit commit) {
        commit.reportConflict(List.of("likes"));
        commit.reportRetry(new IOException("reset by peer"));
    }

    private record Everything(Runnable event) implements CountersListener {
        @Override
        public void onBatch(Batch batch) {
            event.run();
        }

        @Override
        public void onConflict(String name) {
            event.run();
        }

        @Override
        public void onRetry(Throwable cause) {
            event.run();
        }

        @Override
        public void onQueueFull(String request) {
            event.run();
        }

        @Override
        public void onRead(String counter, Duration staleness) {
            event.run();
        }
    }
}
