package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.Injection;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spring.autoconfigure.CounterKitAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The health indicator knows a slow store from one that is down. Its types are in other packages in each line. */
class HealthTest {
    private static final String INDICATOR = "counterKitHealthIndicator";

    @TempDir
    private Path directory;

    private ApplicationContextRunner inMemory(String slowAfter, String downAfter) {
        return Application.on(directory)
                .withPropertyValues(
                        "counterkit.backend=inmemory",
                        "counterkit.health.slow-after=" + slowAfter,
                        "counterkit.health.down-after=" + downAfter);
    }

    private static Object health(ApplicationContext context) {
        return call(context.getBean(INDICATOR), "health");
    }

    static String status(ApplicationContext context) {
        return (String) call(call(health(context), "getStatus"), "getCode");
    }

    private static String store(ApplicationContext context) {
        return (String) ((Map<?, ?>) call(health(context), "getDetails")).get("store");
    }

    /** The methods have the same names in both lines. */
    private static Object call(Object target, String method) {
        try {
            var found = target.getClass().getMethod(method);
            found.setAccessible(true);
            return found.invoke(target);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(target + " has no " + method, e);
        }
    }

    @Test
    void storeThatAnswersIsUp() {
        inMemory("1m", "1h").run(context -> {
            assertThat(status(context)).isEqualTo("UP");
            assertThat(store(context)).startsWith("answered within ");
            assertThat(context.getBean(InMemoryStore.class).dump().counters())
                    .as("the check leaves nothing in the store")
                    .isEmpty();
        });
    }

    @Test
    void storeThatAnswersLateIsSlow() {
        inMemory("20ms", "1h").run(context -> {
            Injection held = context.getBean(InMemoryStore.class).faults().inject(Fault.HOLD, Calls.all());
            assertThat(status(context)).isEqualTo("SLOW");
            assertThat(store(context)).startsWith("has not answered for ");
            held.release();
            await().until(() -> status(context).equals("UP"));
        });
    }

    /** The second check waits for less time than the read has taken. */
    @Test
    void storeThatAnswersASecondCheckIsSlow() {
        inMemory("300ms", "1h").run(context -> {
            Injection held = context.getBean(InMemoryStore.class).faults().inject(Fault.HOLD, Calls.all());
            assertThat(status(context)).isEqualTo("SLOW");
            AtomicReference<String> found = new AtomicReference<>();
            Thread second = new Thread(() -> found.set(status(context)));
            second.start();
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> second.getState() == Thread.State.TIMED_WAITING || !second.isAlive());
            held.release();
            second.join();
            assertThat(found).hasValue("SLOW");
            await().until(() -> status(context).equals("UP"));
        });
    }

    @Test
    void storeThatDoesNotAnswerForLongIsDown() {
        inMemory("20ms", "100ms").run(context -> {
            Injection held = context.getBean(InMemoryStore.class).faults().inject(Fault.HOLD, Calls.all());
            await().until(() -> status(context).equals("DOWN"));
            assertThat(store(context)).startsWith("has not answered for ");
            held.release();
            await().until(() -> status(context).equals("UP"));
        });
    }

    @Test
    void storeThatAnswersWithAnErrorIsDown() {
        inMemory("1m", "1h").run(context -> {
            context.getBean(InMemoryStore.class).faults().inject(Fault.FAIL, Calls.all());
            assertThat(status(context)).isEqualTo("DOWN");
            assertThat(store(context)).contains("it failed on the way to the store");
        });
    }

    @Test
    void sqliteFileThatIsGoneIsDown() {
        Application.countingOn(directory)
                .withPropertyValues("counterkit.health.slow-after=1m", "counterkit.health.down-after=1h")
                .run(context -> {
                    assertThat(status(context)).isEqualTo("UP");
                    Files.delete(directory.resolve("shop.db"));
                    assertThat(status(context)).isEqualTo("DOWN");
                });
    }

    @Test
    void indicatorCanBeTurnedOff() {
        inMemory("1m", "1h")
                .withPropertyValues("management.health.counterkit.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(INDICATOR));
    }

    /** The application creates the backend by itself. */
    @Test
    void backendOfAnApplicationWithoutOurConfigurationIsChecked() {
        Application.on(directory)
                .withPropertyValues("spring.autoconfigure.exclude=" + CounterKitAutoConfiguration.class.getName())
                .withBean(CounterBackend.class, InMemoryBackend::create)
                .run(context -> assertThat(status(context)).isEqualTo("UP"));
    }

    /** Spring would not know which one to check. */
    @Test
    void severalBackendsOfTheApplication_haveNoIndicatorUnlessOneIsPrimary() {
        ApplicationContextRunner application = Application.on(directory)
                .withBean(Counters.class, () -> Counters.over(InMemoryBackend.create()))
                .withBean("old", CounterBackend.class, InMemoryBackend::create);
        application
                .withBean("new", CounterBackend.class, InMemoryBackend::create)
                .run(context ->
                        assertThat(context).hasBean("old").hasBean("new").doesNotHaveBean(INDICATOR));
        application
                .withBean("new", CounterBackend.class, InMemoryBackend::create, bean -> bean.setPrimary(true))
                .run(context -> assertThat(status(context)).isEqualTo("UP"));
    }
}
