package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.SealedException;
import io.counterkit.firestore.fixture.FirestoreFixture;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a process with a remembered tail from before another process sealed the sequence. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SealedElsewhereTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters counters = Counters.over(fixture.connect());
    private final Counters others = Counters.over(fixture.connect());
    private final String name = "s-" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        others.close();
        fixture.close();
    }

    @Test
    void append_ofAChangeThatDoesNotFit_isRefusedWithTheSeal() {
        counters.sequence(name).append(Change.ADDED, "subject", Map.of());
        others.sequence(name).seal("elsewhere");
        assertThatThrownBy(() -> counters.sequence(name).append(Change.ADDED, "subject", Map.of()))
                .isInstanceOf(SealedException.class);
    }
}
