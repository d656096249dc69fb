package io.counterkit.firestore.foreign;

import io.counterkit.firestore.fixture.FirestoreFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Node.js program in {@code src/test/node} on one database, with its npm packages installed in {@code target}. */
final class NodeProgram {
    private static final Path SOURCE = Path.of("src", "test", "node");
    private static final Path TARGET = Path.of("target", "node");
    private static final String LOCK = "package-lock.json";

    private final String project;

    private NodeProgram(String project) {
        this.project = project;
    }

    /** Installs the packages of the lock file, unless they are installed. Needs npm, which comes with Node.js. */
    static NodeProgram install(String project) throws IOException, InterruptedException {
        Files.createDirectories(TARGET);
        try (Stream<Path> files = Files.list(SOURCE).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                Files.copy(file, TARGET.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        // Written last, so that an interrupted installation is repeated.
        Path installed = TARGET.resolve("installed-" + LOCK);
        if (!Files.exists(installed) || Files.mismatch(SOURCE.resolve(LOCK), installed) >= 0) {
            output(start(new ProcessBuilder("npm", "ci", "--ignore-scripts", "--prefer-offline", "--fetch-retries=5")));
            Files.copy(SOURCE.resolve(LOCK), installed, StandardCopyOption.REPLACE_EXISTING);
        }
        return new NodeProgram(project);
    }

    /** Starts the program. */
    Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("node", "recipe.mjs"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .put("FIRESTORE_EMULATOR_HOST", FirestoreFixture.emulator().hostAndPort());
        // There is no metadata server to ask.
        builder.environment().put("METADATA_SERVER_DETECTION", "none");
        builder.environment().put("GOOGLE_CLOUD_PROJECT", project);
        return start(builder);
    }

    /** Runs the program and returns the last line of its output. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> lines = output(start(List.of(arguments)))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.get(lines.size() - 1);
    }

    /** Waits for a successful end and returns the rest of the output. */
    static String output(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(process.info().commandLine().orElse("it") + " ended with exit code " + code
                    + " and printed:\n" + output);
        }
        return output;
    }

    private static Process start(ProcessBuilder builder) throws IOException {
        try {
            return builder.directory(TARGET.toFile()).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException(
                    "\"" + builder.command().get(0) + "\" cannot be started: install Node.js 18 or newer with npm", e);
        }
    }
}
