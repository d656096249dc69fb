package io.counterkit.cli.backend;

/** What a module made beside its backend and has to be freed after it: a client, a server for the run. */
@FunctionalInterface
public interface HeldResources extends AutoCloseable {
    @Override
    void close();
}
