package io.counterkit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.CountersListener;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CombinedListenerTest {
    private final List<String> conflicts = new ArrayList<>();

    private final CountersListener recording = new CountersListener() {
        @Override
        public void onConflict(String name) {
            conflicts.add(name);
        }
    };

    private static CountersListener failing(Throwable failure) {
        return new CountersListener() {
            @Override
            public void onConflict(String name) {
                Futures.join(CompletableFuture.failedFuture(failure));
            }
        };
    }

    @Test
    void listenersAfterFailingOnes_areCalled() {
        RuntimeException first = new IllegalStateException("first");
        RuntimeException second = new IllegalStateException("second");
        CountersListener all = CombinedListener.of(List.of(failing(first), failing(second), recording));

        assertThatThrownBy(() -> all.onConflict("likes")).isSameAs(first).hasSuppressedException(second);
        assertThat(conflicts).containsExactly("likes");
    }

    /** An exception cannot be suppressed by itself. */
    @Test
    void listenersThatThrowOneExceptionObject_doNotKeepOthersFromTheEvent() {
        RuntimeException shared = new IllegalStateException("shared");
        CountersListener all = CombinedListener.of(List.of(failing(shared), failing(shared), recording));

        assertThatThrownBy(() -> all.onConflict("likes")).isSameAs(shared);
        assertThat(conflicts).containsExactly("likes");
    }

    @Test
    void listenersAfterOneWithAnError_areCalled() {
        Error first = new AssertionError("first");
        RuntimeException second = new IllegalStateException("second");
        CountersListener all = CombinedListener.of(List.of(failing(first), failing(second), recording));

        assertThatThrownBy(() -> all.onConflict("likes")).isSameAs(first).hasSuppressedException(second);
        assertThat(conflicts).containsExactly("likes");
    }
}
