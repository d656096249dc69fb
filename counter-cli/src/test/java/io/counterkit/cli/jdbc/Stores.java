package io.counterkit.cli.jdbc;

import io.counterkit.cli.migrate.Move;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;
import org.sqlite.SQLiteDataSource;

/** The stores of migrations: a store in memory, a SQLite file in a directory, and the shared PostgreSQL server. */
record Stores(Path directory, InMemoryStore memory) {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    /** A kind of store. */
    enum Place {
        INMEMORY,
        SQLITE,
        POSTGRESQL
    }

    Stores(Path directory) {
        this(directory, InMemoryStore.create());
    }

    Move move(Place from, Place to) {
        return new Move(() -> connect(from), () -> connect(to));
    }

    private CounterBackend connect(Place place) {
        return switch (place) {
            case INMEMORY -> InMemoryBackend.over(memory);
            case SQLITE -> {
                SQLiteDataSource file = new SQLiteDataSource();
                file.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
                yield JdbcCounterBackend.create(file, OPTIONS);
            }
            case POSTGRESQL -> JdbcCounterBackend.create(PostgresServer.shared(), OPTIONS);
        };
    }
}
