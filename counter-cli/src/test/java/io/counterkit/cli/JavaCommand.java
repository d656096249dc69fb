package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands that run a JVM like that of these tests, and how such a process is interrupted. */
public final class JavaCommand {
    private JavaCommand() {}

    /** Returns the command that runs {@code counter} with these words. The caller may add more. */
    public static List<String> counter(String... words) {
        return of(Main.class, List.of(), words);
    }

    /**
     * Returns the command that runs a class with these options and words, with more options for a short run that no JDK
     * warns of. The caller may add more words.
     */
    public static List<String> of(Class<?> main, List<String> options, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(words));
        return command;
    }

    /**
     * Interrupts a process as Ctrl-C does. A process in the background ignores SIGINT, so this sends SIGTERM; by the
     * handle, since {@link Process#destroy} would close the streams.
     */
    public static void interrupt(Process process) {
        process.toHandle().destroy();
    }

    /** Interrupts a process, and checks that it then exits as after Ctrl-C. */
    public static void assertInterruptible(Process process) throws InterruptedException {
        interrupt(process);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
    }
}
