package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.cli.CommandRun;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands that work alike on every store that outlives them. Each command opens the store again. */
abstract class StoreCommands {
    /** Returns the options that name a store of this test's own. */
    abstract Stream<String> backend();

    /** Returns the option, after a space, with which the first change prepares the store; empty if it needs none. */
    String preparing() {
        return "";
    }

    final CommandRun run(String command) {
        return CommandRun.of(words(command));
    }

    final String[] words(String command) {
        return Stream.concat(Arrays.stream(command.split(" ")), backend()).toArray(String[]::new);
    }

    final String ok(String command) {
        CommandRun run = run(command);
        assertThat(run.exitCode()).as("%s: %s", command, run.err()).isZero();
        return run.out();
    }

    @Test
    void countersSurviveFromOneCommandToTheNext() {
        assertThat(ok("add likes" + preparing())).isEqualTo("added 1 to 'likes'\n");
        assertThat(ok("add likes 5 --token order-17")).startsWith("added 5 to 'likes', once in total");
        assertThat(ok("add likes 5 --token order-17")).startsWith("added 5 to 'likes', once in total");
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
        assertThat(ok("next invoices" + preparing())).isEqualTo("1\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("append invoices customer=c-17 --token t")).isEqualTo("2\n");
        assertThat(ok("entries invoices").lines()).hasSize(2);
        assertThat(ok("erase invoices 2")).isNotEmpty();
        assertThat(ok("next invoices")).isEqualTo("3\n");
    }

    /** A watch may read on a thread of its own. */
    @Test
    void countersAreWatched() {
        ok("add likes 5" + preparing());
        CommandRun run = CommandRun.untilItPrints(words("watch likes --every 100ms --for 1m"));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(130);
        assertThat(run.outLines()).singleElement().asString().contains(" 5  at most");
    }

    @Test
    void soakIsExact() {
        assertThat(ok("soak --operations 500" + preparing())).contains("exact: ");
    }
}
