package io.counterkit.examples.likes;

import com.google.inject.Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/** The application in this process, for tests in other packages. */
public final class RunningApplication implements AutoCloseable {
    private final Application application;

    private RunningApplication(Application application) {
        this.application = application;
    }

    /** Starts it on the store of a module. */
    public static RunningApplication start(Module store) {
        return start(store, "a fake");
    }

    /** Starts it on the store of a module, with this name on the page. */
    public static RunningApplication start(Module store, String title) {
        try {
            return new RunningApplication(Application.start(store, title, 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the address of the page. */
    public URI address() {
        return application.address();
    }

    @Override
    public void close() {
        application.close();
    }
}
