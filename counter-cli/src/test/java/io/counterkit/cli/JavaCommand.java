package io.counterkit.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The start of a command that runs a JVM like that of these tests. */
public final class JavaCommand {
    private JavaCommand() {}

    /** Returns a list to which the caller adds more, with options for a short run that no JDK warns of. */
    public static List<String> start() {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED"));
    }
}
