package io.counterkit.firestore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.grpc.GrpcStatusCode;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.ApiExceptionFactory;
import com.google.cloud.firestore.FirestoreException;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.grpc.Status;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FirestoreErrorsTest {
    /** A copy of the mapping, to detect errors in the switch. */
    private static final Map<Status.Code, StoreError> EXPECTED = new EnumMap<>(Map.ofEntries(
            Map.entry(Status.Code.OK, StoreError.REFUSED),
            Map.entry(Status.Code.CANCELLED, StoreError.LOST),
            Map.entry(Status.Code.UNKNOWN, StoreError.LOST),
            Map.entry(Status.Code.INVALID_ARGUMENT, StoreError.REFUSED),
            Map.entry(Status.Code.DEADLINE_EXCEEDED, StoreError.LOST),
            Map.entry(Status.Code.NOT_FOUND, StoreError.MISSING),
            Map.entry(Status.Code.ALREADY_EXISTS, StoreError.EXISTS),
            Map.entry(Status.Code.PERMISSION_DENIED, StoreError.REFUSED),
            Map.entry(Status.Code.RESOURCE_EXHAUSTED, StoreError.LOST),
            Map.entry(Status.Code.FAILED_PRECONDITION, StoreError.REFUSED),
            Map.entry(Status.Code.ABORTED, StoreError.CONTENTION),
            Map.entry(Status.Code.OUT_OF_RANGE, StoreError.REFUSED),
            Map.entry(Status.Code.UNIMPLEMENTED, StoreError.REFUSED),
            Map.entry(Status.Code.INTERNAL, StoreError.LOST),
            Map.entry(Status.Code.UNAVAILABLE, StoreError.LOST),
            Map.entry(Status.Code.DATA_LOSS, StoreError.LOST),
            Map.entry(Status.Code.UNAUTHENTICATED, StoreError.REFUSED)));

    @ParameterizedTest
    @EnumSource(Status.Code.class)
    void code_ofACommit(Status.Code code) {
        assertThat(FirestoreErrors.of(apiException(code))).isEqualTo(EXPECTED.get(code));
        assertThat(FirestoreErrors.of(new ExecutionException(new CompletionException(apiException(code)))))
                .isEqualTo(EXPECTED.get(code));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "INVALID_ARGUMENT")
    void code_ofATransaction(Status.Code code) {
        assertThat(FirestoreErrors.of(FirestoreException.forApiException(apiException(code))))
                .isEqualTo(EXPECTED.get(code));
        assertThat(FirestoreErrors.of(FirestoreException.forServerRejection(code.toStatus(), "rejected")))
                .isEqualTo(EXPECTED.get(code));
    }

    @Test
    void transactionThatIsClosed_mayHaveBeenApplied() {
        ApiException closed = apiException(Status.Code.INVALID_ARGUMENT);
        assertThat(FirestoreErrors.of(FirestoreException.forApiException(closed)))
                .isEqualTo(StoreError.LOST);
    }

    @Test
    void transactionThatFailedTooOften_hasTheErrorOfItsLastCall() {
        FirestoreException wrapped =
                FirestoreException.forApiException(apiException(Status.Code.NOT_FOUND), "too many");
        assertThat(FirestoreErrors.of(wrapped)).isEqualTo(StoreError.MISSING);
    }

    @Test
    void requestThatWasGivenUp_isALostReply_andOtherExceptionsAreNotOfTheStore() {
        assertThat(List.of(new TimeoutException(), new InterruptedException(), new RejectedExecutionException()))
                .allSatisfy(failure -> assertThat(FirestoreErrors.of(failure)).isEqualTo(StoreError.LOST));
        assertThat(FirestoreErrors.of(new IllegalStateException("client has already been closed")))
                .isEqualTo(StoreError.REFUSED);
        assertThat(FirestoreErrors.isOfStore(new TimeoutException())).isTrue();
        assertThat(FirestoreErrors.isOfStore(apiException(Status.Code.ABORTED))).isTrue();
        assertThat(FirestoreErrors.isOfStore(new IllegalStateException())).isFalse();
    }

    @Test
    void failureBeforeAnythingWasSent_namesTheOperationAndTheCode() {
        CounterException failure = FirestoreErrors.notApplied(
                "adding to 'likes'", new CompletionException(apiException(Status.Code.PERMISSION_DENIED)));
        assertThat(failure)
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessageContainingAll("adding to 'likes'", "PERMISSION_DENIED", "nothing was applied")
                .hasCauseInstanceOf(ApiException.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(FirestoreErrors.notRead("reading 'likes'", new TimeoutException()))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessageContainingAll("reading 'likes'", "did not answer in time");
    }

    @Test
    void failureWithAnOutcome_isPassedOn() {
        CorruptDataException corrupt = new CorruptDataException("shard 3");
        assertThat(FirestoreErrors.notApplied("adding", new CompletionException(corrupt)))
                .isSameAs(corrupt);
        assertThat(FirestoreErrors.notRead("reading", new ExecutionException(corrupt)))
                .isSameAs(corrupt);
    }

    private static ApiException apiException(Status.Code code) {
        return ApiExceptionFactory.createException(
                "as a test wants it", new Exception("cause"), GrpcStatusCode.of(code), false);
    }
}
