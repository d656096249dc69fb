package io.counterkit.spi.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Watch;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method of the SPI is forwarded, also one that is added later. */
class ForwardingTest {
    static Stream<Arguments> methods() {
        return Stream.of(
                        methods(CounterBackend.class, ForwardingCounterBackend::new),
                        methods(CounterStore.class, ForwardingCounterStore::new),
                        methods(SequenceStore.class, ForwardingSequenceStore::new),
                        methods(MigrationStore.class, ForwardingMigrationStore::new))
                .flatMap(methods -> methods);
    }

    private static <T> Stream<Arguments> methods(Class<T> type, UnaryOperator<T> forwarding) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.getName().equals("fastPath"))
                .map(method -> Arguments.of(type.getSimpleName() + "." + method.getName(), method, forwarding));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void method_passesItsArgumentsAndReturnsTheAnswer(String name, Method method, UnaryOperator<Object> forwarding)
            throws Exception {
        List<List<@Nullable Object>> calls = new ArrayList<>();
        @Nullable Object answer = sample(method.getReturnType(), 8);
        Object recorder = proxy(method.getDeclaringClass(), (called, arguments) -> {
            if (!called.getName().equals(method.getName())) {
                return sample(called.getReturnType(), 9); // asked for at creation
            }
            calls.add(arguments);
            return answer;
        });
        Object wrapped = forwarding.apply(recorder);
        calls.clear();

        @Nullable Object[] arguments = new Object[method.getParameterCount()];
        Arrays.setAll(arguments, i -> sample(method.getParameterTypes()[i], i));
        Object returned = method.invoke(wrapped, arguments);

        if (method.getReturnType().isPrimitive()) {
            assertThat(returned).isEqualTo(answer);
        } else {
            assertThat(returned).isSameAs(answer);
        }
        if (!name.matches("CounterBackend\\.(counters|sequences)")) { // asked once, at creation
            assertThat(calls).containsExactly(Arrays.asList(arguments));
        }
    }

    @Test
    void adds_haveNoFastPath() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.none());
        backend.fastPath(delta -> true);
        assertThat(backend.counters().fastPath("likes")).isNotNull();
        assertThat(new ForwardingCounterBackend(new ForwardingCounterBackend(
                                backend, new ForwardingCounterStore(backend.counters()), backend.sequences()))
                        .counters()
                        .fastPath("likes"))
                .isNull();
    }

    @Test
    void givenStores_receiveTheCalls() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.none());
        CounterStore counters = new ForwardingCounterStore(backend.counters());
        SequenceStore sequences = new ForwardingSequenceStore(backend.sequences());

        CounterBackend forwarding = new ForwardingCounterBackend(backend, counters, sequences);

        assertThat(forwarding.counters()).isSameAs(counters);
        assertThat(forwarding.sequences()).isSameAs(sequences);
        forwarding.close();
        assertThat(backend.closed()).isEqualTo(1);
    }

    private interface Answer {
        @Nullable Object to(Method called, List<@Nullable Object> arguments);
    }

    private static Object proxy(Class<?> type, Answer answer) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) ->
                        answer.to(called, arguments == null ? List.of() : Arrays.asList(arguments)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the type is not known here
    private static @Nullable Object unanswered() {
        return new CompletableFuture<Object>();
    }

    /**
     * Returns a value of the type, another one for each {@code i} where the SPI has several parameters of that type.
     */
    private static @Nullable Object sample(Class<?> type, int i) {
        if (type == String.class) {
            return "text " + i;
        }
        if (type == int.class) {
            return i;
        }
        if (type == long.class) {
            return (long) i;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == List.class) {
            return List.of(i);
        }
        if (type == Set.class) {
            return Set.of();
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(i);
        }
        if (type == BatchLimits.class) {
            return BatchLimits.none();
        }
        if (type == CompletableFuture.class) {
            return unanswered();
        }
        boolean isAnswered = type == Watch.class || type.getSimpleName().endsWith("Store");
        return isAnswered ? proxy(type, (called, arguments) -> null) : null;
    }
}
