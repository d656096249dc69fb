package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.TokenRetention;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that tokens are remembered by the store's clock, and longer than any change is sent. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TokenRetentionTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Firestore raw = fixture.client();
    private final String tokens = "tokens-" + UUID.randomUUID();
    private final String name = TestStore.name();
    private final FirestoreCounterOptions options = FirestoreCounterOptions.builder()
            .tokenCollection(tokens)
            .retention(Duration.ofHours(2))
            .build();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The first change of a process. */
    enum FirstChange {
        ADD,
        APPEND,
        RESET,
        DELETE,
        ERASE,
        SEAL,
        CREATE,
        RESHARD,
        TRANSACT,
        RESOLVE;

        CompletableFuture<?> send(FirestoreCounterBackend to, String name, Commit commit) {
            return switch (this) {
                case ADD -> to.counters().add(List.of(new AddRequest(name, 1, null)), commit);
                case APPEND ->
                    to.sequences().append(name, List.of(new AppendRequest(Change.ADDED, null, Map.of(), null)), commit);
                case RESET -> to.counters().reset(name, commit);
                case DELETE -> to.counters().delete(name, commit);
                case ERASE -> to.sequences().erase(name, 1, commit);
                case SEAL -> to.sequences().seal(name, "elsewhere", commit);
                case CREATE -> to.create(name, 3);
                case RESHARD -> to.reshard(name, 3);
                case TRANSACT -> to.transact(IdempotencyToken.random(), transaction -> transaction.add(name, 1));
                case RESOLVE -> to.resolve(commit.token(), null, commit);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void writerWhoseClockIsADayAndAnHourBehind_storesTokensForTheRetention(FirstChange first) {
        FirestoreCounterBackend earlier = FirestoreCounterBackend.create(fixture.client());
        if (first == FirstChange.CREATE) {
            FirstChange.DELETE.send(earlier, name, commit(MINUTE)).join();
        } else {
            FirstChange.ADD.send(earlier, name, commit(MINUTE)).join();
        }
        FirstChange.APPEND.send(earlier, name, commit(MINUTE)).join();
        earlier.close();
        Instant before = Instant.now();
        InstantSource behind = InstantSource.offset(InstantSource.system(), Duration.ofHours(-25));
        FirestoreCounterBackend backend = new FirestoreCounterBackend(fixture.client(), options, behind);
        first.send(backend, name, commit(MINUTE)).join();
        backend.close();
        assertThat(TestStore.await(raw.collection(tokens).get()).getDocuments())
                .isNotEmpty()
                .allSatisfy(token -> assertThat(TokenDocument.expires(token))
                        .isBetween(
                                before.minusSeconds(1).plus(options.retention()),
                                Instant.now()
                                        .plusSeconds(60)
                                        .plus(options.retention())
                                        .plus(TokenRetention.MARGIN)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ADD", "APPEND", "RESET", "DELETE", "ERASE", "SEAL"})
    void changeWithADeadlineBeyondItsRetention_isRefused(FirstChange change) throws InterruptedException {
        FirestoreCounterBackend backend = FirestoreCounterBackend.create(fixture.client(), options);
        Commit tooLong = commit(Duration.ofMinutes(111));
        CompletableFuture<?> refused = change.send(backend, name, tooLong);
        try {
            refused.get();
            throw new AssertionError("was not refused");
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOf(NotAppliedException.class)
                    .hasMessageContainingAll("111 min", "2 h", "at most 110 min", "longer retention");
        }
        assertThat(fixture.faults().calls()).isEmpty();
        backend.counters()
                .add(List.of(new AddRequest(name, 1, null)), commit(Duration.ofMinutes(110)))
                .join();
        backend.close();
    }

    @Test
    void deadlineBeyondTheRetention_isRefused() {
        FirestoreCounterOptions.Builder hour = FirestoreCounterOptions.builder().retention(Duration.ofHours(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hour.deadline(Duration.ofHours(24)).build())
                .withMessageContainingAll("24 h", "1 h", "at most 50 min", "longer retention");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> hour.deadline(Duration.ofMinutes(50).plusNanos(1)).build());
        assertThat(hour.deadline(Duration.ofMinutes(50)).build().deadline()).isEqualTo(Duration.ofMinutes(50));
    }

    private static Commit commit(Duration timeout) {
        return new Commit(timeout, new SecureRandom(), CountersListener.disabled());
    }
}
