package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The answers of calls to a backend, and their comparison with those of a model. */
final class Answers {
    static final String DONE = "done";

    private Answers() {}

    /** The failure of a change that a seal refuses. */
    record RefusedBy(Seal seal) {}

    /** Makes a call and returns its answer, or the class of its failure, or the seal that refuses it. */
    static Object of(Supplier<? extends CompletableFuture<?>> call, String doing) {
        try {
            Object answer = call.get().join();
            return answer == null ? DONE : answer;
        } catch (CompletionException e) {
            Throwable failure = Futures.unwrap(e);
            assertThat(failure).as(doing).isInstanceOf(CounterException.class);
            return failure instanceof SealedException sealed ? new RefusedBy(sealed.seal()) : failure.getClass();
        }
    }

    static boolean isFailure(Object answer) {
        return answer instanceof Class || answer instanceof RefusedBy;
    }

    /** Compares an answer with that of a model, or with the failures that the model allows. */
    static void check(Object answer, Object expected, String doing) {
        if (expected instanceof Set<?> several) {
            assertThat(several).as("%s: the possible failures", doing).anyMatch(answer::equals);
        } else if (expected == NotAppliedException.class) {
            assertThat(answer instanceof RefusedBy
                            || (answer instanceof Class<?> failure
                                    && NotAppliedException.class.isAssignableFrom(failure)))
                    .as("%s: whether the answer is a failure with the outcome not applied: %s", doing, answer)
                    .isTrue();
        } else {
            assertThat(answer).as(doing).isEqualTo(expected);
        }
    }

    /** Returns the value of the only request of a batch, or throws its failure. */
    static <T> @Nullable T only(List<Result<T>> results) {
        assertThat(results).hasSize(1);
        return only(results, 0);
    }

    /** Returns the value of one request of a batch, which the other requests must not affect, or throws its failure. */
    static <T> @Nullable T only(List<Result<T>> results, int index) {
        Result<T> result = results.get(index);
        assertThat(result.isRetry())
                .as("whether request %s of a batch of %s has to be sent again", index + 1, results.size())
                .isFalse();
        if (result.failure() != null) {
            throw result.failure();
        }
        return result.value();
    }
}
