package io.counterkit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Reading;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.Call;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoreCheckTest {
    @Test
    void storeWhoseReadThrowsAnError_isDown() {
        InMemoryBackend memory = InMemoryBackend.create();
        ForwardingCounterStore broken = new ForwardingCounterStore(memory.counters()) {
            @Override
            public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
                throw new NoClassDefFoundError("a class of the driver");
            }
        };
        StoreCheck check = new StoreCheck(
                new ForwardingCounterBackend(memory, broken, memory.sequences()),
                new CounterKitProperties.Health(Duration.ofMinutes(1), Duration.ofHours(1)));

        assertThat(check.check()).isEqualTo(new StoreCheck.Finding(StoreCheck.State.DOWN, "a class of the driver"));
    }
}
