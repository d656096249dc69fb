package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.RampUpLimiter;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Adds that keep to a ramp, whose clock stands still, so that it shows how much was reserved. */
class IngestRampTest {
    private static final int LINES = 50;

    private final InMemoryStore store = InMemoryStore.create();
    private final RampUpLimiter ramp = RampUpLimiter.of(10_000, 1, Duration.ofMinutes(5), () -> 0);

    @Test
    void storeWithARamp_isWrittenAtItsRate() {
        ingest(new RampedStore(ramp, 1));

        assertThat(ramp.reserve(0))
                .as("each add and its token")
                .isEqualTo(Duration.ofSeconds(2 * LINES).toNanos() / 10_000);
    }

    @Test
    void addThatIsTwoWrites_reservesTwo() {
        ingest(new RampedStore(ramp, 2));

        assertThat(ramp.reserve(0))
                .as("each add of two writes, and its token")
                .isEqualTo(Duration.ofSeconds(3 * LINES).toNanos() / 10_000);
    }

    @Test
    void noRampOption_ignoresTheRampOfTheStore() {
        ingest(new RampedStore(ramp, 1), "--no-ramp");

        assertThat(ramp.reserve(0)).isZero();
    }

    @Test
    void rampOption_worksOnAStoreWithoutOne() {
        ingest(new TestBackend(InMemoryBackend.over(store)), "--ramp");
    }

    private void ingest(BackendFactory backend, String... options) {
        CommandRun run = CommandRun.on(
                Backends.of(backend),
                new ByteArrayInputStream(
                        names().collect(Collectors.joining("\n")).getBytes(UTF_8)),
                new Interrupt(),
                Stream.concat(Stream.of("ingest"), Stream.of(options)).toArray(String[]::new));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(store.dump().counters()).isEqualTo(names().collect(Collectors.toMap(name -> name, name -> 1L)));
    }

    private static Stream<String> names() {
        return IntStream.range(0, LINES).mapToObj(i -> "likes/" + i);
    }

    private final class RampedStore implements BackendFactory {
        private final RampUpLimiter asked;
        private final int weight;

        RampedStore(RampUpLimiter asked, int weight) {
            this.asked = asked;
            this.weight = weight;
        }

        @Override
        public String name() {
            return "inmemory";
        }

        @Override
        public String description() {
            return "in memory, but asks for a ramp";
        }

        @Override
        public OpenBackend open(Opening opening) {
            return new OpenBackend() {
                @Override
                public CounterBackend backend() {
                    CounterBackend plain = InMemoryBackend.over(store);
                    CounterStore weighed = new ForwardingCounterStore(plain.counters()) {
                        @Override
                        public int weight(AddRequest request) {
                            return weight;
                        }
                    };
                    return new ForwardingCounterBackend(plain, weighed, plain.sequences());
                }

                @Override
                public RampUpLimiter ramp() {
                    return asked;
                }
            };
        }
    }
}
