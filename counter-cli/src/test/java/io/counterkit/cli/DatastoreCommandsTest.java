package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command on the local Datastore. Each command opens the directory again. */
class DatastoreCommandsTest {
    @TempDir
    Path directory;

    private CommandRun run(String command) {
        return CommandRun.of(words(command));
    }

    private String[] words(String command) {
        return Stream.concat(
                        Arrays.stream(command.split(" ")),
                        Stream.of("--backend", "datastore", "--data", directory.toString()))
                .toArray(String[]::new);
    }

    private String ok(String command) {
        CommandRun run = run(command);
        assertThat(run.exitCode()).as("%s: %s", command, run.err()).isZero();
        return run.out();
    }

    @Test
    void countersSurviveFromOneCommandToTheNext() {
        assertThat(ok("add likes")).isEqualTo("added 1 to 'likes'\n");
        assertThat(ok("add likes 5 --token order-17")).startsWith("added 5 to 'likes', once in all");
        assertThat(ok("add likes 5 --token order-17")).startsWith("added 5 to 'likes', once in all");
        assertThat(ok("get likes")).isEqualTo("6\n");
        assertThat(ok("list")).isEqualTo("likes\n");
        assertThat(ok("resolve order-17")).isEqualTo("applied: add of 5 to 'likes'\n");
        assertThat(ok("reset likes")).isEqualTo("reset 'likes'\n");
        assertThat(ok("get likes")).isEqualTo("0\n");
        assertThat(ok("delete likes")).isEqualTo("deleted 'likes'\n");
        assertThat(ok("list")).isEmpty();
    }

    @Test
    void sequencesSurviveFromOneCommandToTheNext() {
        assertThat(ok("next invoices")).isEqualTo("1\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("entries invoices").lines()).hasSize(2);
        assertThat(ok("erase invoices 2")).isNotEmpty();
        assertThat(ok("next invoices")).isEqualTo("3\n");
    }

    @Test
    void sealedName_printsItsForwardAddress() {
        ok("add likes 41");
        ok("append invoices customer=c-17");
        assertThat(ok("seal likes --forward firestore")).contains("'likes'", "firestore");
        assertThat(ok("seal invoices --sequence --forward firestore")).contains("'invoices'", "firestore");

        CommandRun add = run("add likes");
        assertThat(add.exitCode()).isEqualTo(1);
        assertThat(add.err()).contains("'likes' was sealed at 41 and lives on at 'firestore'");
        CommandRun append = run("next invoices");
        assertThat(append.exitCode()).isEqualTo(1);
        assertThat(append.err()).contains("'invoices' was sealed at 1 and lives on at 'firestore'");
        assertThat(ok("get likes")).isEqualTo("41\n");
        assertThat(ok("entries invoices").lines()).hasSize(1);
        CommandRun other = run("seal likes --forward elsewhere");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("'firestore'");
        assertThat(ok("seal likes --forward firestore")).contains("firestore");
    }

    /** On a thread of its own, which no request was given to. */
    @Test
    void countersAreWatched() {
        ok("add likes 5");
        CommandRun run = CommandRun.untilItPrints(words("watch likes --every 100ms --for 1m"));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(130);
        assertThat(run.outLines()).singleElement().asString().contains(" 5  at most");
    }

    @Test
    void soakIsExact() {
        assertThat(ok("soak --duration 2s")).contains("exact: ");
    }
}
