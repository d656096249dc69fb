package io.counterkit.cli.backend;

import com.google.inject.Module;
import io.counterkit.spi.CounterBackend;

/**
 * A backend that the command line can run on. Found with {@link java.util.ServiceLoader}: the implementation is public,
 * has a public constructor without arguments, and does nothing before {@link #module()}.
 */
public interface BackendFactory {
    /** What the user says to get it: {@code --backend inmemory}. */
    String name();

    /** One line for the help. */
    String description();

    /** Binds {@link CounterBackend}, and {@link FaultSource} where the way to the store can be disturbed. */
    Module module();
}
