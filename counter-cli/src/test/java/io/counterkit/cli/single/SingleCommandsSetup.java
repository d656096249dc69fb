package io.counterkit.cli.single;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.ParsedJson;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.io.InputStream;
import java.util.Map;

/** Commands on one store in memory. */
abstract class SingleCommandsSetup {
    final InMemoryStore store = InMemoryStore.create();
    final Counters counters = Counters.over(InMemoryBackend.over(store));

    CommandRun run(String... args) {
        return CommandRun.on(
                Backends.of(new TestBackend(InMemoryBackend.over(store))),
                InputStream.nullInputStream(),
                new Interrupt(),
                args);
    }

    /** Runs a command that must succeed without a message, and returns what it prints. */
    String ok(String command) {
        CommandRun run = run(command.split(" "));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run.out();
    }

    Map<String, Object> json(String command) {
        CommandRun run = run((command + " --json").split(" "));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines()).hasSize(1);
        return ParsedJson.object(run.out());
    }
}
