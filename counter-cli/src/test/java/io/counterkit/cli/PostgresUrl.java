package io.counterkit.cli;

import io.counterkit.jdbc.server.PostgresServer;
import org.postgresql.ds.PGSimpleDataSource;

/** The address of this JVM's server, as a user writes it. */
public final class PostgresUrl {
    private PostgresUrl() {}

    public static String shared() {
        PGSimpleDataSource server = PostgresServer.shared();
        return "jdbc:postgresql://" + server.getServerNames()[0] + ":" + server.getPortNumbers()[0] + "/"
                + server.getDatabaseName() + "?user=" + server.getUser();
    }
}
