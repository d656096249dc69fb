package io.counterkit.jdbc;

import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.FaultQueue;
import io.counterkit.tck.FaultQueue.PendingFault;
import io.counterkit.tck.StoreFault;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Disturbs the calls of a driver, below the pool. What is a call depends on the database: see {@link Calls}. */
final class JdbcFaults implements FaultInjector {
    private final FaultQueue faults = new FaultQueue();
    private final AtomicInteger calls = new AtomicInteger();

    /** Whether this thread creates a backend, which the kit does not disturb. */
    private final ThreadLocal<Boolean> isCreating = ThreadLocal.withInitial(() -> false);

    /** What is a call. */
    enum Calls {
        /** Each statement, commit and rollback: each is a round trip that can get lost. */
        ROUND_TRIPS,
        /** The same, and connecting: for a data source without a pool. */
        ROUND_TRIPS_AND_CONNECTS,
        /** Each transaction, and each statement outside of one: nothing lies between the program and a file. */
        TRANSACTIONS
    }

    /** A step of a call. */
    interface Step {
        @Nullable Object run() throws Throwable;
    }

    /** Creates a backend without faults. Drivers and pools refuse to connect on an interrupted thread. */
    <T> T create(Supplier<T> create) {
        boolean wasInterrupted = Thread.interrupted();
        isCreating.set(true);
        try {
            return create.get();
        } finally {
            isCreating.set(false);
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a data source whose calls are disturbed. */
    DataSource around(DataSource source, Calls kind) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        return invoke(source, method, arguments);
                    }
                    Step connect = () -> around((Connection) invoke(source, method, arguments), kind);
                    return kind == Calls.ROUND_TRIPS_AND_CONNECTS ? disturb(null, connect) : connect.run();
                });
    }

    private Connection around(Connection connection, Calls kind) {
        Lost lost = new Lost();
        return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "commit", "rollback" ->
                kind == Calls.TRANSACTIONS
                        ? invoke(connection, method, arguments)
                        : disturb(connection, () -> invoke(connection, method, arguments));
            case "prepareStatement" -> {
                String sql = (String) arguments[0];
                yield statement(
                        PreparedStatement.class,
                        (Statement) invoke(connection, method, arguments),
                        sql,
                        connection,
                        kind,
                        lost);
            }
            case "createStatement" ->
                statement(
                        Statement.class, (Statement) invoke(connection, method, arguments), "", connection, kind, lost);
            default -> invoke(connection, method, arguments);
        });
    }

    /** Whether the reply of the transaction that is open on a connection will be lost. */
    private static final class Lost {
        private boolean isOpen;
        private boolean isLost;
    }

    private <T extends Statement> T statement(
            Class<T> type, Statement statement, String sql, Connection connection, Calls kind, Lost lost) {
        Set<String> sent = Set.of("execute", "executeQuery", "executeUpdate", "executeBatch");
        return proxy(type, (proxy, method, arguments) -> {
            if (!sent.contains(method.getName())) {
                return invoke(statement, method, arguments);
            }
            Step step = () -> invoke(statement, method, arguments);
            if (kind != Calls.TRANSACTIONS) {
                return disturb(connection, step);
            }
            String words = arguments == null || arguments.length == 0 ? sql : (String) arguments[0];
            return inTransaction(words, step, lost);
        });
    }

    private @Nullable Object inTransaction(String sql, Step step, Lost lost) throws Throwable {
        if (sql.startsWith("PRAGMA")) {
            return step.run();
        }
        if (sql.startsWith("BEGIN")) {
            PendingFault fault = next();
            lost.isOpen = false;
            lost.isLost = fault != null && fault.fault() == StoreFault.LOSE_REPLY;
            Object begun = fault == null || lost.isLost ? step.run() : disturb(fault, null, step);
            lost.isOpen = true;
            return begun;
        }
        if (sql.startsWith("COMMIT") || sql.startsWith("ROLLBACK")) {
            Object ended = step.run();
            boolean isLost = lost.isLost && sql.startsWith("COMMIT");
            lost.isOpen = false;
            lost.isLost = false;
            if (isLost) {
                throw new SQLException("injected: the reply is lost", null, 10);
            }
            return ended;
        }
        return lost.isOpen ? step.run() : disturb(null, step);
    }

    private @Nullable Object disturb(@Nullable Connection connection, Step step) throws Throwable {
        PendingFault fault = next();
        return fault == null ? step.run() : disturb(fault, connection, step);
    }

    /** A connection that fails is broken, as one whose socket fails is; the driver then says so with class 08. */
    private static @Nullable Object disturb(PendingFault fault, @Nullable Connection connection, Step step)
            throws Throwable {
        return switch (fault.fault()) {
            case FAIL_BEFORE -> throw broken(connection, "injected: not sent");
            case LOSE_REPLY -> {
                step.run();
                throw broken(connection, "injected: the reply is lost");
            }
            case HOLD -> fault.hold(step::run);
        };
    }

    private static SQLException broken(@Nullable Connection connection, String message) throws SQLException {
        if (connection != null) {
            connection.abort(Runnable::run);
        }
        return new SQLException(message, "08006", 10);
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Returns how many calls there were. */
    int calls() {
        return calls.get();
    }

    private @Nullable PendingFault next() {
        if (isCreating.get()) {
            return null;
        }
        calls.incrementAndGet();
        return faults.next();
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        return faults.inject(fault, call);
    }
}
