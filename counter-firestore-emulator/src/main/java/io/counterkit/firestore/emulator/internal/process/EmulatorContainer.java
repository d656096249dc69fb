package io.counterkit.firestore.emulator.internal.process;

import io.counterkit.firestore.emulator.EmulatorOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.gcloud.FirestoreEmulatorContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** An emulator in Docker. Testcontainers ends it with this JVM, and is optional. */
public final class EmulatorContainer implements AutoCloseable {
    /** Testcontainers adds the patience to the time of day. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final String RULES = "/counterkit.rules";

    private final FirestoreEmulatorContainer container;

    private EmulatorContainer(FirestoreEmulatorContainer container) {
        this.container = container;
    }

    /** Starts an emulator. If that is not possible, returns null and adds the reason to {@code reasons}. */
    public static @Nullable EmulatorContainer start(EmulatorOptions options, List<String> reasons) {
        if (!isOnClassPath()) {
            reasons.add("Testcontainers' testcontainers-gcloud is not on the class path");
            return null;
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            reasons.add("Testcontainers is on the class path, but Docker is not running");
            return null;
        }
        FirestoreEmulatorContainer container = create(options);
        container.start();
        return new EmulatorContainer(container);
    }

    /** Returns the address of the emulator. */
    public Endpoint endpoint() {
        return new Endpoint(container.getEmulatorEndpoint());
    }

    @Override
    public void close() {
        container.close();
    }

    private static FirestoreEmulatorContainer create(EmulatorOptions options) {
        String flags = "--database-mode=" + options.databaseMode().flag();
        FirestoreEmulatorContainer container = new FirestoreEmulatorContainer(DockerImageName.parse(options.image()))
                .withEnv("JDK_JAVA_OPTIONS", "-Xmx" + options.heap() + " " + String.join(" ", options.jvmOptions()))
                .withStartupTimeout(options.patience().compareTo(LONGEST) < 0 ? options.patience() : LONGEST);
        Path rules = options.rules();
        if (rules != null) {
            container.withCopyFileToContainer(MountableFile.forHostPath(rules.toAbsolutePath()), RULES);
            flags += " --rules=" + RULES;
        }
        return container.withFlags(flags);
    }

    private static boolean isOnClassPath() {
        try {
            Class.forName(
                    "org.testcontainers.gcloud.FirestoreEmulatorContainer",
                    false,
                    EmulatorContainer.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
