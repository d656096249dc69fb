package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.fixture.Recorder;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests when adds use the fast path of a store. */
class FastPathTest {
    private final List<Long> added = new CopyOnWriteArrayList<>();
    private final ScriptedBackend backend = withFastPath(BatchLimits.none());

    @Test
    void plainAdd_usesTheFastPath() {
        Counter likes = Counters.over(backend).counter("likes");

        likes.add(5);
        likes.increment();
        assertThat(likes.async().add(-3)).isCompletedWithValue(null);

        assertThat(added).containsExactly(5L, 1L, -3L);
        backend.adds().assertNothingMore();
    }

    @Test
    void refusedAdd_isSubmitted() {
        backend.fastPath(delta -> false);
        Counter likes = Counters.over(backend).counter("likes");

        likes.add(5);
        assertThat(likes.async().add(6)).isCompleted();

        assertThat(backend.adds().succeedAll())
                .flatExtracting(sent -> sent.requests())
                .containsExactly(new AddRequest("likes", 5, null), new AddRequest("likes", 6, null));
    }

    @Test
    void addWithAToken_isSubmitted() {
        IdempotencyToken token = IdempotencyToken.of("order-1");

        Counters.over(backend).counter("likes").add(5, token);

        assertThat(added).isEmpty();
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 5, token));
    }

    @Test
    void addWithAListener_isSubmitted() {
        Recorder listener = new Recorder();

        Counters.over(backend, CountersOptions.builder().listener(listener).build())
                .counter("likes")
                .add(5);

        assertThat(added).isEmpty();
        assertThat(listener.batches()).hasSize(1);
    }

    @Test
    void combinedAdd_isSubmitted() {
        ScriptedBackend combining = withFastPath(BatchLimits.ofWeight(10));

        Counters.over(combining).counter("likes").add(5);

        assertThat(added).isEmpty();
        assertThat(combining.adds().succeedAll()).hasSize(1);
    }

    @Test
    void deltas_areChecked() {
        Counter likes = Counters.over(backend).counter("likes");

        assertThatThrownBy(() -> likes.add(Limits.MAX_DELTA + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> likes.async().add(-Limits.MAX_DELTA - 1)).isInstanceOf(IllegalArgumentException.class);

        assertThat(added).isEmpty();
    }

    @Test
    void addAfterClose_isRefused() {
        Counters counters = Counters.over(backend);
        Counter likes = counters.counter("likes");
        counters.close();

        assertThatThrownBy(() -> likes.add(5)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> likes.async().add(5)).isInstanceOf(IllegalStateException.class);

        assertThat(added).isEmpty();
    }

    @Test
    void fullQueue_doesNotRefuseTheFastPath() {
        backend.others().on("reset", CompletableFuture::new);
        Counter likes = Counters.over(
                        backend, CountersOptions.builder().queueLimit(1).build())
                .counter("likes");
        CompletableFuture<Void> waiting = likes.async().reset();

        likes.add(5);
        assertThat(likes.async().add(6)).isCompleted();

        assertThat(waiting).isNotDone();
        assertThat(added).containsExactly(5L, 6L);
    }

    private ScriptedBackend withFastPath(BatchLimits limits) {
        ScriptedBackend obedient = ScriptedBackend.obedient(limits);
        obedient.fastPath(added::add);
        return obedient;
    }
}
