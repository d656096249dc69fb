package io.counterkit.cli.jdbc;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Counters in tables of a PostgreSQL server. */
@Command(name = "postgresql", header = "in tables of a PostgreSQL server, 14 or newer")
public final class PostgresqlBackendFactory implements BackendFactory {
    private static final String PASSWORD_VARIABLE = "COUNTERKIT_PASSWORD";

    @Option(names = "--url", paramLabel = "JDBC_URL")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "NAME")
    private @Nullable String user;

    @Option(names = "--schema", paramLabel = "NAME")
    private @Nullable String schema;

    @Option(names = "--table-prefix", paramLabel = "PREFIX")
    private String tablePrefix = JdbcCounterOptions.defaults().tablePrefix();

    @Option(names = "--create-tables")
    private boolean createTables;

    @Override
    public OpenBackend open(Opening opening) {
        if (url == null) {
            throw new IllegalArgumentException("--url is missing: use --url " + PostgresqlServer.URL_FORM);
        }
        JdbcCounterOptions.Builder options =
                JdbcCounterOptions.builder().tablePrefix(tablePrefix).createTables(createTables);
        if (schema != null) {
            options.schema(schema);
        }
        return new PostgresqlServer(url, user, System.getenv(PASSWORD_VARIABLE)).open(options.build());
    }
}
