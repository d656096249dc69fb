package io.counterkit.benchmarks.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ChildProcessesTest {
    private static final String FAIL = "fail";

    @Test
    void eachProcess_executesItsCommands() throws Exception {
        try (ChildProcesses processes = new ChildProcesses()) {
            processes.start(Echo.class, "a");
            processes.start(Echo.class, "b");
            assertThat(processes.execute(i -> "first " + i)).containsExactly("a: first 0", "b: first 1");
            assertThat(processes.execute(i -> "second")).containsExactly("a: second", "b: second");
        }
    }

    @Test
    void aProcessThatEnds_isReportedWithItsErrors() throws Exception {
        try (ChildProcesses processes = new ChildProcesses()) {
            processes.start(Echo.class, "a");
            processes.start(Echo.class, "b");
            assertThatThrownBy(() -> processes.execute(i -> i == 1 ? FAIL : "go"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("exit code 1", "the store is down");
            assertThatThrownBy(() -> processes.execute(i -> "go"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the store is down");
        }
    }

    /** Answers each command with itself. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] args) throws IOException {
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println("ready");
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                if (command.equals(FAIL)) {
                    throw new IllegalStateException("the store is down");
                }
                System.out.println(args[0] + ": " + command);
            }
        }
    }
}
