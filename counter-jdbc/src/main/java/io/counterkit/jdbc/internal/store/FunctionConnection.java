package io.counterkit.jdbc.internal.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a transaction that the backend ends, for the function that runs in it. Refuses to end the
 * transaction: a commit would apply a part of the changes, and a retry would take it for all of them.
 */
record FunctionConnection(Connection connection) implements InvocationHandler {
    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                FunctionConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new FunctionConnection(connection));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        boolean isEnd = switch (method.getName()) {
            case "commit" -> true;
            case "rollback" -> arguments == null; // not to a savepoint
            case "setAutoCommit" -> arguments != null && Boolean.TRUE.equals(arguments[0]);
            default -> false;
        };
        if (isEnd) {
            throw new IllegalStateException(method.getName() + " in the function of transact: the backend ends the"
                    + " transaction after the function; to roll back, throw an exception");
        }
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
