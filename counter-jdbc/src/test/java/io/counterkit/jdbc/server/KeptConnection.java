package io.counterkit.jdbc.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;

/** A pool of one connection, which resets nothing. */
public final class KeptConnection {
    private KeptConnection() {}

    /** Returns a data source whose only connection is {@code connection}, which stays open. */
    public static DataSource pool(Connection connection) {
        ClassLoader loader = Objects.requireNonNull(KeptConnection.class.getClassLoader());
        Object open = Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
            try {
                return method.getName().equals("close") ? null : method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        });
        return (DataSource)
                Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> open);
    }
}
