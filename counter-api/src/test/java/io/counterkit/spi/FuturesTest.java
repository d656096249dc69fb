package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FuturesTest {
    private final Exception failure = new Exception("disk full");

    private final List<CompletableFuture<String>> started = new ArrayList<>();

    @Test
    void all_keepsTheOrder() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = CompletableFuture.completedFuture("b");
        CompletableFuture<List<String>> all = Futures.all(List.of(first, second));
        assertThat(all).isNotDone();

        first.complete("a");

        assertThat(all).isCompletedWithValue(List.of("a", "b"));
        assertThat(Futures.all(List.of())).isCompletedWithValue(List.of());
    }

    @Test
    void all_failsAfterTheLastHasCompleted() {
        CompletableFuture<String> last = new CompletableFuture<>();
        CompletableFuture<List<String>> all = Futures.all(List.of(CompletableFuture.failedFuture(failure), last));
        assertThat(all).isNotDone();

        last.complete("b");

        assertThatThrownBy(all::join).hasCause(failure);
    }

    @Test
    void inGroups_startsAGroupWhenThePreviousHasSucceeded() {
        CompletableFuture<List<String>> results = Futures.inGroups(List.of("a", "b", "c", "d", "e"), 2, this::start);
        assertThat(started).hasSize(2);
        started.get(1).complete("B");
        assertThat(started).hasSize(2);
        started.get(0).complete("A");
        assertThat(started).hasSize(4);
        started.get(2).complete("C");
        started.get(3).complete("D");
        assertThat(started).hasSize(5);
        started.get(4).complete("E");

        assertThat(results).isCompletedWithValue(List.of("A", "B", "C", "D", "E"));
    }

    @Test
    void inGroups_startsNothingAfterAFailure() {
        CompletableFuture<List<String>> results = Futures.inGroups(List.of("a", "b"), 1, this::start);
        started.get(0).completeExceptionally(failure);

        assertThatThrownBy(results::join).hasCause(failure);
        assertThat(started).hasSize(1);
    }

    @Test
    void inGroupsOfNothing_isEmpty() {
        assertThat(Futures.inGroups(List.<String>of(), 2, this::start)).isCompletedWithValue(List.of());
    }

    private CompletableFuture<String> start(String source) {
        CompletableFuture<String> future = new CompletableFuture<>();
        started.add(future);
        return future;
    }

    @Test
    void unwrap_removesTheWrappersOfFuturesOnly() {
        assertThat(Futures.unwrap(new CompletionException(new ExecutionException(failure))))
                .isSameAs(failure);
        assertThat(Futures.unwrap(failure)).isSameAs(failure);
        RuntimeException withCause = new IllegalStateException(failure);
        assertThat(Futures.unwrap(withCause)).isSameAs(withCause);
        CompletionException withoutCause = new CompletionException((Throwable) null);
        assertThat(Futures.unwrap(withoutCause)).isSameAs(withoutCause);
    }

    @Test
    void join_throwsTheFailureItself() {
        RuntimeException unchecked = new IllegalStateException("disk full");
        Error error = new AssertionError("disk full");

        assertThat(Futures.join(CompletableFuture.completedFuture("a"))).isEqualTo("a");
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(unchecked)))
                .isSameAs(unchecked);
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(new CompletionException(unchecked))))
                .isSameAs(unchecked);
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(error)))
                .isSameAs(error);
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(failure)))
                .isInstanceOf(CompletionException.class)
                .hasCause(failure);
    }
}
