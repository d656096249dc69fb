package io.counterkit.jdbc.server;

import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server that is installed on this machine. Listens on a free port, and keeps its data in a temporary
 * directory. The server stops when this JVM ends, even if the JVM is killed: a shell watches the JVM and stops the
 * server. If the JVM runs as root, the server runs as the user {@code postgres}, or as {@code nobody} if there is no
 * such user, since PostgreSQL refuses to run as root.
 *
 * <p>If {@code -Dcounterkit.postgresql.url=jdbc:postgresql://…} is set, {@link #shared} returns that server. If it is
 * not set and no server is installed, {@link #shared} starts one in Docker.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String URL = "counterkit.postgresql.url";
    private static final int ATTEMPTS = 3;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final Path programs;
    private final List<String> asUser;
    private final int port;
    private @Nullable Process process;

    private PostgresServer(Path directory, Path programs, List<String> asUser, int port) {
        this.directory = directory;
        this.programs = programs;
        this.asUser = asUser;
        this.port = port;
    }

    /**
     * Returns a new data source without a pool on the server of this JVM, whose settings the test may change; if there
     * is no server, the test is skipped or fails.
     */
    public static PGSimpleDataSource shared() {
        PGSimpleDataSource server = Prerequisite.required(Shared.SERVER);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.getURL());
        source.setUser(server.getUser());
        source.setPassword(server.getPassword());
        return source;
    }

    /** Returns a new server of a test's own. Its database is empty. */
    public static PostgresServer start() {
        return Prerequisite.required(() -> tryStart(PostgresPrograms.find().orElseThrow(PostgresServer::missing)));
    }

    private static final class Shared {
        private static final Callable<PGSimpleDataSource> SERVER = once();

        private static Callable<PGSimpleDataSource> once() {
            try {
                String url = System.getProperty(URL);
                PGSimpleDataSource source = url == null ? local() : at(url);
                return () -> source;
            } catch (Exception e) {
                return () -> {
                    throw e;
                };
            }
        }
    }

    private static PGSimpleDataSource local() throws IOException, InterruptedException, SQLException {
        Optional<PostgresPrograms> programs = PostgresPrograms.find();
        if (programs.isPresent()) {
            return tryStart(programs.get()).dataSource();
        }
        return at(PostgresContainer.start().orElseThrow(PostgresServer::missing));
    }

    private static PGSimpleDataSource at(String url) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        try (Connection connection = source.getConnection()) {
            connection.isValid(10);
        } catch (SQLException e) {
            throw new SQLException(URL + "=" + url + " does not answer: " + e.getMessage(), e);
        }
        return source;
    }

    private static PostgresServer tryStart(PostgresPrograms found) throws IOException, InterruptedException {
        List<String> asUser = asUser();
        Path directory = Files.createTempDirectory(
                "counterkit-postgresql",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!asUser.isEmpty()) {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user()));
        }
        Path programs = found.in(directory, asUser);
        run(
                asUser,
                programs.resolve("initdb").toString(),
                "-D",
                directory + "/data",
                "-U",
                "counterkit",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync");
        for (int attempt = 1; ; attempt++) {
            PostgresServer server = new PostgresServer(directory, programs, asUser, freePort());
            try {
                server.startAgain();
                return server;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e; // another process may take a free port before the server does
                }
            }
        }
    }

    private static IOException missing() {
        return new IOException("PostgreSQL is missing: install Debian's package postgresql, start Docker with"
                + " org.testcontainers:testcontainers-postgresql on the class path, or name a server with -D" + URL
                + "=jdbc:postgresql://…");
    }

    private static List<String> asUser() throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        return List.of("setpriv", "--reuid=" + user(), "--regid=" + group(), "--clear-groups", "--");
    }

    private static String user() throws IOException {
        return isKnown("postgres") ? "postgres" : "nobody";
    }

    private static String group() throws IOException {
        return isKnown("postgres") ? "postgres" : "nogroup";
    }

    private static boolean isKnown(String user) throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream().anyMatch(line -> line.startsWith(user + ":"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void run(List<String> asUser, String... command) throws IOException, InterruptedException {
        run(asUser, Redirect.PIPE, command);
    }

    static void run(List<String> asUser, Redirect input, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(asUser);
        all.addAll(List.of(command));
        Process process = new ProcessBuilder(all)
                .directory(Path.of("/").toFile())
                .redirectInput(input)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + output);
        }
    }

    /** Starts the server, again too after it was killed, and returns once it answers. */
    public void startAgain() throws IOException, InterruptedException {
        // The shell ends the server, and deletes its data, when this JVM closes the pipe or ends.
        String script = "exec 3<&0; \"$@\" 3<&- & server=$!;"
                + " (cat <&3 > /dev/null; : > \"$0/over\"; kill -INT $server) & watch=$!;"
                + " wait $server; if [ -e \"$0/over\" ]; then rm -rf \"$0\"; else kill $watch; fi";
        List<String> command = new ArrayList<>(asUser);
        command.addAll(List.of(
                "sh",
                "-c",
                script,
                directory.toString(),
                programs.resolve("postgres").toString(),
                "-D",
                directory + "/data",
                "-p",
                String.valueOf(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=300",
                "-c",
                "max_prepared_transactions=10"));
        Path log = directory.resolve("log");
        Process started = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        long deadline = System.nanoTime() + START_NANOS;
        while (!answers()) {
            if (started.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new IOException("PostgreSQL did not start; it printed:\n" + Files.readString(log));
            }
        }
    }

    private boolean answers() {
        try (Connection connection = dataSource().getConnection()) {
            return connection.isValid(10);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Kills the server without letting it finish anything: {@code pg_ctl -m immediate}. */
    public void kill() throws IOException, InterruptedException {
        run(asUser, programs.resolve("pg_ctl").toString(), "-D", directory + "/data", "-m", "immediate", "-w", "stop");
    }

    /** Makes the server, while it is stopped, a standby of a server that never answers. */
    public void becomeStandby() throws IOException, InterruptedException {
        run(asUser, "touch", directory + "/data/standby.signal");
    }

    /** Makes a standby the primary server. */
    public void promote() throws IOException, InterruptedException {
        run(asUser, programs.resolve("pg_ctl").toString(), "-D", directory + "/data", "-w", "promote");
    }

    /** Returns the URL of the server's database. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=counterkit";
    }

    /** Returns a data source without a pool. */
    public PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        return source;
    }

    @Override
    public void close() {
        if (process != null) {
            try {
                process.getOutputStream().close();
                process.waitFor(30, TimeUnit.SECONDS);
            } catch (IOException e) {
                process.destroy();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
