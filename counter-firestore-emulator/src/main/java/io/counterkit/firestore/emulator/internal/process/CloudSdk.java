package io.counterkit.firestore.emulator.internal.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the emulator's jar in the Google Cloud SDK that is installed on this machine. */
public final class CloudSdk {
    /** The variables in which gcloud and related tools name the folder of an SDK. */
    private static final List<String> ROOT_VARIABLES = List.of("CLOUDSDK_ROOT_DIR", "GOOGLE_CLOUD_SDK_HOME");

    private static final List<String> COMMANDS = List.of("gcloud", "gcloud.cmd");
    private static final Path JAR = Path.of("platform", "cloud-firestore-emulator", "cloud-firestore-emulator.jar");

    private CloudSdk() {}

    /**
     * Returns the jar of the first SDK that contains it. If there is none, returns null and adds the reasons to {@code
     * reasons}.
     */
    public static @Nullable Path findEmulator(Map<String, String> environment, List<String> reasons) {
        List<Path> roots = roots(environment);
        for (Path root : roots) {
            Path jar = root.resolve(JAR);
            if (Files.isRegularFile(jar)) {
                return jar;
            }
            reasons.add("the Google Cloud SDK in " + root + " has no Firestore emulator");
        }
        if (roots.isEmpty()) {
            reasons.add("no Google Cloud SDK: no gcloud on PATH, and none of " + String.join(", ", ROOT_VARIABLES)
                    + " is set");
        }
        return null;
    }

    private static List<Path> roots(Map<String, String> environment) {
        List<Path> roots = new ArrayList<>();
        for (String variable : ROOT_VARIABLES) {
            Path root = path(environment.getOrDefault(variable, ""));
            if (root != null) {
                roots.add(root);
            }
        }
        for (String entry : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path folder = path(entry);
            if (folder != null) {
                COMMANDS.stream()
                        .map(folder::resolve)
                        .filter(Files::isRegularFile)
                        .map(CloudSdk::rootOf)
                        .forEach(roots::add);
            }
        }
        return roots.stream().distinct().toList();
    }

    /** Returns the SDK of a gcloud command. Package managers put a link to the real command on the PATH. */
    private static Path rootOf(Path gcloud) {
        Path command;
        try {
            command = gcloud.toRealPath();
        } catch (IOException e) {
            command = gcloud.toAbsolutePath();
        }
        return command.resolve("../..").normalize();
    }

    /** Returns a path, or null if {@code text} is empty or not a valid path. */
    private static @Nullable Path path(String text) {
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
