package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.LateCalls;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests an import whose first attempt reaches the store after its refusal, and after the counter was deleted. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LateImportTest {
    private final TestStore store = new TestStore();
    private final FirestoreCounterBackend other = store.anotherBackend();
    private final String name = TestStore.name();
    private final LateCalls late = new LateCalls();
    private final AtomicInteger commits = new AtomicInteger();

    @AfterEach
    void close() {
        late.release();
        other.close();
        store.close();
    }

    private static Commit commit() {
        return new Commit(Duration.ofSeconds(30), new Random(), CountersListener.disabled());
    }

    /** Adds to the counter before the second attempt. */
    private final class Adder implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            if ("Commit".equals(method.getBareMethodName()) && commits.incrementAndGet() == 2) {
                other.counters()
                        .add(List.of(new AddRequest(name, 1, null)), commit())
                        .join();
            }
            return next.newCall(method, options);
        }
    }

    @ParameterizedTest
    @CsvSource({"DEFAULT, true", "DEFAULT, false", "NONE, true", "NONE, false"})
    void importThatWasRefused_isNeverApplied(ClientRetries retries, boolean isPresent) {
        ImportedState base = new ImportedState("elsewhere", isPresent, isPresent ? 7 : 0, 0);
        Firestore client = retries.connect(FirestoreFixture.emulator(), store.project(), late, new Adder());
        try (FirestoreCounterBackend importing =
                FirestoreCounterBackend.create(client, FirestoreCounterOptions.defaults())) {
            late.delayNext();
            assertThat(importing
                            .migration()
                            .importBase(Kind.COUNTER, name, base, commit())
                            .handle((imported, failure) -> failure)
                            .join())
                    .hasRootCauseInstanceOf(NotAppliedException.class);
            other.counters().delete(name, commit()).join();
            late.release();
            await().until(late::isQuiet);

            MigrationStore migration = other.migration();
            assertThat(migration.bases(Kind.COUNTER, List.of(name), commit()).join())
                    .as("imported")
                    .allMatch(imported -> imported.isEmpty());
            assertThat(migration.states(Kind.COUNTER, List.of(name), commit()).join())
                    .as("present")
                    .noneMatch(state -> state.isPresent());
            ImportedState again = new ImportedState("there", true, 9, 0);
            for (FirestoreCounterBackend each : List.of(importing, other)) {
                assertThat(each.migration()
                                .importBase(Kind.COUNTER, name, again, commit())
                                .join())
                        .isEqualTo(again);
            }
            assertThat(store.counters().counter(name).get()).isEqualTo(9);
            assertThat(migration
                            .bases(Kind.COUNTER, List.of(name), commit())
                            .join()
                            .get(0))
                    .contains(again);
        } finally {
            client.shutdown();
        }
    }
}
