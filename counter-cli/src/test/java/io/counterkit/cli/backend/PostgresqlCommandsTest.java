package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import io.counterkit.cli.PostgresUrl;
import io.counterkit.jdbc.server.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command on a PostgreSQL server, in tables of this test's own. */
@Tag("exhaustive")
class PostgresqlCommandsTest extends StoreCommands {
    private final String id = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    private final String prefix = "t" + id + "_";

    @Override
    Stream<String> backend() {
        return backend(url(), prefix);
    }

    @Override
    String preparing() {
        return " --create-tables";
    }

    private static String url() {
        return PostgresUrl.shared();
    }

    private static Stream<String> backend(String url, String prefix) {
        return Stream.of("--backend", "postgresql", "--url", url, "--table-prefix", prefix);
    }

    private static CommandRun run(String command, String url, String prefix) {
        return CommandRun.of(Stream.concat(Arrays.stream(command.split(" ")), backend(url, prefix))
                .toArray(String[]::new));
    }

    @Test
    void topAndDescribe_showACounter() {
        ok("add likes 6" + preparing());
        assertThat(ok("top")).contains("likes");
        assertThat(ok("describe likes")).contains("6");
    }

    @Test
    void ingestIsExact() {
        assertThat(ok("ingest --access-log ../samples/access.log --create-tables"))
                .contains("exact: 137 of 137");
    }

    @Test
    void namesMoveToAndFromAFile(@TempDir Path directory) {
        ok("add likes 41 --create-tables");
        String file = directory.resolve("counts.db").toString();

        CommandRun moved = CommandRun.of(migrate("--from postgresql --to sqlite --file " + file, prefix));
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(run("add likes").err()).contains("continues at 'sqlite'");
        assertThat(CommandRun.of("get", "likes", "--backend", "sqlite", "--file", file)
                        .out())
                .isEqualTo("41\n");

        CommandRun back =
                CommandRun.of(migrate("--from sqlite --to postgresql --create-tables --file " + file, "u" + id + "_"));
        assertThat(back.exitCode()).as(back.err()).isZero();
        assertThat(run("get likes", url(), "u" + id + "_").out()).isEqualTo("41\n");
    }

    private static String[] migrate(String options, String prefix) {
        return ("migrate " + options + " --url " + url() + " --table-prefix " + prefix).split(" ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"get likes", "add likes"})
    void missingTables_areRefused(String command) {
        assertRefused(run(command), "the tables '" + prefix + "*' are missing", "or add --create-tables");
    }

    @Test
    void serverThatIsNotThere_isRefused() throws IOException {
        try (Socket taken = new Socket()) { // bound, but nothing listens
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String url = "jdbc:postgresql://127.0.0.1:" + taken.getLocalPort() + "/app";

            assertRefused(
                    run("add likes", url, prefix),
                    "--url " + url + ": the server cannot be reached: is it running, and is the address right?");
        }
    }

    @Test
    void unknownUserAndDatabase_areRefused() {
        assertRefused(run("get likes --user absent" + id), "does not accept this user: check --user");
        String url = url().replaceFirst("/[^/?]+(\\?|$)", "/absent" + id + "$1");
        assertRefused(run("get likes", url, prefix), "there is no such database");
    }

    @Test
    void userWithoutPermission_isRefused() throws SQLException {
        ok("add likes --create-tables");
        try (Connection connection = PostgresServer.shared().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE guest" + id + " LOGIN");
        }
        assertRefused(run("get likes --user guest" + id), "this user may not use or create the tables");
    }

    @Test
    void invalidUrls_areRefused() {
        assertRefused(
                CommandRun.of("get", "likes", "--backend", "postgresql"), "--url is missing: use --url jdbc:postgre");
        assertRefused(run("get likes", "localhost", prefix), "--url localhost: use the form jdbc:");
        String secret = "jdbc:postgresql://localhost/app?password=s3cret";
        CommandRun run = run("get likes", secret, prefix);
        assertRefused(run, "set COUNTERKIT_PASSWORD in the environment instead");
        assertThat(run.err()).doesNotContain("s3cret");
    }

    private static void assertRefused(CommandRun run, String... why) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().contains(why);
    }
}
