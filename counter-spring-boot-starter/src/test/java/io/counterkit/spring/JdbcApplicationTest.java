package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Sequence;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.CounterBackend;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with counters in a SQLite file. */
class JdbcApplicationTest {
    private final String name = Application.randomName();

    @TempDir
    private Path directory;

    private ApplicationContextRunner application() {
        return Application.countingOn(directory);
    }

    @Test
    void countersOutliveTheApplication() {
        application()
                .run(context -> context.getBean(Counters.class).counter(name).add(3));
        application().run(context -> {
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(3);
            assertThat(context).hasSingleBean(JdbcCounterBackend.class);
        });
    }

    @Test
    void tablesMayComeFromTheScriptOfTheApplication() {
        Application.on(directory)
                .withPropertyValues(
                        "counterkit.backend=jdbc",
                        "spring.sql.init.mode=always",
                        "spring.sql.init.schema-locations=classpath:counterkit-sql/sqlite-1.sql")
                .run(context -> assertThat(
                                context.getBean(Counters.class).counter(name).get())
                        .isZero());
    }

    @Test
    void endOfTheApplicationWaitsForPendingRequests() {
        int adds = 500;
        CompletableFuture<?>[] pending = new CompletableFuture<?>[adds];
        application().run(context -> {
            Counter counter = context.getBean(Counters.class).counter(name);
            for (int i = 0; i < adds; i++) {
                pending[i] = counter.async().increment();
            }
        });
        assertThat(pending).allMatch(add -> add.isDone() && !add.isCompletedExceptionally());
        application()
                .run(context -> assertThat(
                                context.getBean(Counters.class).counter(name).get())
                        .isEqualTo(adds));
    }

    @Test
    void propertiesNameCountersAndSequences() {
        application()
                .withPropertyValues(
                        "counterkit.counters.likes=" + name,
                        "counterkit.counters.views=" + name + "/views",
                        "counterkit.sequences.likes=" + name)
                .withBean(Page.class)
                .run(context -> {
                    Page page = context.getBean(Page.class);
                    page.likes.add(2);
                    page.views.add(5);
                    assertThat(page.numbers.append(Map.of("by", "c-17")).number())
                            .isEqualTo(1);
                    Counters counters = context.getBean(Counters.class);
                    assertThat(counters.counter(name).get()).isEqualTo(2);
                    assertThat(counters.counter(name + "/views").get()).isEqualTo(5);
                    assertThat(counters.sequence(name).last()).isEqualTo(1);
                });
    }

    static final class Page {
        private final Counter likes;
        private final Counter views;
        private final Sequence numbers;

        Page(
                @Qualifier("likes") Counter likes,
                @Qualifier("views") Counter views,
                @Qualifier("likes") Sequence numbers) {
            this.likes = likes;
            this.views = views;
            this.numbers = numbers;
        }
    }

    @Test
    void metersAndTheApplicationsListenersReceiveEachEvent() {
        AtomicInteger received = new AtomicInteger();
        CountersListener broken = new CountersListener() {
            @Override
            public void onBatch(Batch batch) {
                throw new IllegalStateException("broken on purpose");
            }
        };
        CountersListener counting = new CountersListener() {
            @Override
            public void onBatch(Batch batch) {
                received.addAndGet(batch.requests());
            }
        };
        application()
                .withBean("broken", CountersListener.class, () -> broken)
                .withBean("counting", CountersListener.class, () -> counting)
                .run(context -> {
                    context.getBean(Counters.class).counter(name).increment();
                    await().untilAsserted(() -> assertThat(received).hasValue(1));
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("counterkit.requests")
                                    .tag("kind", "add")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void propertiesBecomeOptions() {
        application()
                .withPropertyValues(
                        "counterkit.deadline=5s",
                        "counterkit.drain-timeout=7s",
                        "counterkit.queue-limit=11",
                        "counterkit.queue-bytes=1MB",
                        "counterkit.token-retention=3h")
                .run(context -> {
                    CountersOptions options = context.getBean(CountersOptions.class);
                    assertThat(Stream.of(options.deadline(), options.drainTimeout()))
                            .map(Object::toString)
                            .containsExactly("PT5S", "PT7S");
                    assertThat(options.queueLimit()).isEqualTo(11);
                    assertThat(options.queueBytes()).isEqualTo(1 << 20);
                    assertThat(context.getBean(CounterBackend.class).retention())
                            .hasHours(3);
                });
    }

    @Test
    void optionsOfTheApplicationReplaceTheProperties() {
        application()
                .withPropertyValues("counterkit.jdbc.create-tables=false")
                .withBean(
                        JdbcCounterOptions.class,
                        () -> JdbcCounterOptions.builder()
                                .createTables(true)
                                .tablePrefix("own_")
                                .build())
                .run(context -> context.getBean(Counters.class).counter(name).increment());
        application()
                .withPropertyValues("counterkit.jdbc.create-tables=false", "counterkit.jdbc.table-prefix=own_")
                .run(context -> assertThat(
                                context.getBean(Counters.class).counter(name).get())
                        .isEqualTo(1));
    }

    @Test
    void backendOfTheApplicationReplacesOurs() {
        Application.on(directory)
                .withBean("own", CounterBackend.class, InMemoryBackend::create)
                .run(context -> {
                    context.getBean(Counters.class).counter(name).increment();
                    assertThat(context).hasSingleBean(CounterBackend.class);
                });
    }

    @Test
    void countersOfTheApplicationReplaceOurs() {
        Application.on(directory)
                .withBean(Counters.class, () -> Counters.over(InMemoryBackend.create()))
                .run(context ->
                        assertThat(context).hasSingleBean(Counters.class).doesNotHaveBean(CounterBackend.class));
    }
}
