package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tokens that other processes resolve while a batch with them is being stored, as many do after an outage. */
class ResolvedMeanwhileTest {
    private static final int APPENDS = 20;

    private final String name = "test-" + UUID.randomUUID();

    /** Calls {@code afterLookup} after each statement that looks for stored tokens. */
    private static DataSource around(DataSource source, Runnable afterLookup) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object connection = invoke(source, method, arguments);
            return connection instanceof Connection real ? around(real, afterLookup) : connection;
        });
    }

    private static Connection around(Connection connection, Runnable afterLookup) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            return result instanceof PreparedStatement real
                            && String.valueOf(arguments[0]).contains("SELECT token, kind")
                    ? proxy(PreparedStatement.class, (called, given) -> {
                        Object answer = invoke(real, called, given);
                        if (called.getName().equals("execute")) {
                            afterLookup.run();
                        }
                        return answer;
                    })
                    : result;
        });
    }

    private interface Handler {
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.call(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void appendsWithOtherTokens_areApplied() {
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().createTables(true).build();
        List<AppendRequest> requests = IntStream.range(0, APPENDS)
                .mapToObj(i -> new AppendRequest(Change.ADDED, "subject " + i, Map.of(), IdempotencyToken.random()))
                .toList();
        ConcurrentLinkedQueue<AppendRequest> toResolve = new ConcurrentLinkedQueue<>(requests.subList(0, 10));
        Commit commit = new Commit(Duration.ofMinutes(1), new SecureRandom(), CountersListener.disabled());
        try (JdbcCounterBackend other = JdbcCounterBackend.create(PostgresServer.shared(), options);
                JdbcCounterBackend backend = JdbcCounterBackend.create(
                        around(PostgresServer.shared(), () -> resolve(other, toResolve.poll())), options)) {
            resolve(other, toResolve.poll());

            List<Result<Entry>> results =
                    backend.sequences().append(name, requests, commit).join();

            assertThat(toResolve).isEmpty();
            assertThat(results.subList(0, 10))
                    .allSatisfy(result -> assertThat(result.failure()).isInstanceOf(TokenRefusedException.class));
            assertThat(results.subList(10, APPENDS))
                    .extracting(result -> result.orThrow().number())
                    .isEqualTo(IntStream.rangeClosed(1, APPENDS - 10)
                            .mapToObj(number -> (long) number)
                            .toList());
        }
    }

    private static void resolve(JdbcCounterBackend backend, AppendRequest request) {
        if (request != null) {
            Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
            assertThat(backend.resolve(request.token(), null, call).join().applied())
                    .isFalse();
        }
    }
}
