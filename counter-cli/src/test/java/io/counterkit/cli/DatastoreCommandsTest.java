package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command on the local Datastore, each of which starts it anew from its directory. */
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
    void sequencesSurviveToo() {
        assertThat(ok("next invoices")).isEqualTo("1\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("entries invoices").lines()).hasSize(2);
        assertThat(ok("erase invoices 2")).isNotEmpty();
        assertThat(ok("next invoices")).isEqualTo("3\n");
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
