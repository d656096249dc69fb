package io.counterkit.examples.likes;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Stage;
import com.google.inject.util.Modules;
import io.counterkit.Counters;
import io.counterkit.examples.likes.wall.Likes;
import io.counterkit.examples.likes.wall.Live;
import io.counterkit.examples.likes.wall.Orders;
import io.counterkit.examples.likes.wall.Settler;
import io.counterkit.examples.likes.web.WebServer;
import java.io.IOException;
import java.net.URI;

/** The running application. */
final class Application implements AutoCloseable {
    private final Injector injector;
    private final WebServer server;

    private Application(Injector injector, WebServer server) {
        this.injector = injector;
        this.server = server;
    }

    /**
     * Starts the application on the store of a module.
     *
     * @param port the port; 0 for any free one
     * @throws IOException if the port is taken
     */
    static Application start(Module store, String storeTitle, int port) throws IOException {
        Injector injector = Guice.createInjector(
                Stage.DEVELOPMENT, new LikesModule(), Modules.override(store).with(new LossyModule()));
        WebServer server = WebServer.start(
                port,
                injector.getInstance(Likes.class),
                injector.getInstance(Orders.class),
                injector.getInstance(Live.class),
                storeTitle);
        return new Application(injector, server);
    }

    URI address() {
        return server.address();
    }

    /** Closes the users of the counters, then the counters, then the store, even if the counters cannot be closed. */
    @Override
    public void close() {
        try {
            server.close();
            injector.getInstance(Live.class).close();
            injector.getInstance(Likes.class).close();
            injector.getInstance(Settler.class).close();
        } finally {
            closeCounters();
        }
    }

    private void closeCounters() {
        try {
            injector.getInstance(Counters.class).close();
        } finally {
            closeStore();
        }
    }

    private void closeStore() {
        if (injector.getExistingBinding(Key.get(AutoCloseable.class)) != null) {
            try {
                injector.getInstance(AutoCloseable.class).close();
            } catch (Exception e) {
                throw new IllegalStateException("the store could not be closed: " + e.getMessage(), e);
            }
        }
    }
}
