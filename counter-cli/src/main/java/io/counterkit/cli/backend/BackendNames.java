package io.counterkit.cli.backend;

import java.util.Iterator;
import java.util.List;

/** The names of the backends, for help and for the completion of shells. */
public record BackendNames(List<String> names) implements Iterable<String> {
    /** Returns the names of {@code backends}. */
    public static BackendNames of(Backends backends) {
        return new BackendNames(backends.names());
    }

    @Override
    public Iterator<String> iterator() {
        return names.iterator();
    }
}
