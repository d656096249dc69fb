package io.counterkit.firestore.emulator;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.grpc.ClientInterceptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A Firestore emulator that answers. One that was started here runs in a process of its own and ends when it is closed, and
 * with this JVM in any case, also when that crashes or is killed. Thread-safe.
 *
 * <pre>{@code
 * Firestore firestore = FirestoreEmulator.shared().connect("demo-" + UUID.randomUUID());
 * }</pre>
 *
 * <p>A project that nobody used before is an empty database; that is much faster than a new emulator for each test.
 */
public final class FirestoreEmulator implements AutoCloseable {
    private static final String HOST_VARIABLE = "FIRESTORE_EMULATOR_HOST";

    /** Near, or not there; but on a busy machine one that is there may take seconds to say so. */
    private static final Duration REACHABLE_WITHIN = Duration.ofSeconds(10);

    private static final SharedEmulator SHARED = new SharedEmulator();

    private final String hostAndPort;
    private final Runnable stop;

    private FirestoreEmulator(String hostAndPort, Runnable stop) {
        this.hostAndPort = hostAndPort;
        this.stop = stop;
    }

    /**
     * The emulator of this JVM: the one that the environment variable {@code FIRESTORE_EMULATOR_HOST} names, or else one
     * that is started at the first call as {@link #start} does. Closing it does nothing.
     *
     * @throws EmulatorUnavailableException if there is none; the message says what to install
     */
    public static FirestoreEmulator shared() {
        return SHARED.get(System.getenv());
    }

    /** The same with another environment, which counts at the first call only. */
    static FirestoreEmulator find(Map<String, String> environment) {
        String named = environment.getOrDefault(HOST_VARIABLE, "");
        return named.isEmpty() ? start(EmulatorOptions.defaults(), environment) : at(named, HOST_VARIABLE);
    }

    /**
     * Starts an emulator for the caller alone: that of the Google Cloud SDK which is on the {@code PATH}, or in the folder
     * that {@code CLOUDSDK_ROOT_DIR} or {@code GOOGLE_CLOUD_SDK_HOME} names; or else one in Docker, where Testcontainers
     * is on the class path.
     *
     * @throws EmulatorUnavailableException if there is none, or it does not start; the message says what to install, or
     *     what the emulator printed
     */
    public static FirestoreEmulator start(EmulatorOptions options) {
        return start(options, System.getenv());
    }

    static FirestoreEmulator start(EmulatorOptions options, Map<String, String> environment) {
        List<String> reasons = new ArrayList<>();
        Path jar = CloudSdk.findEmulator(environment, reasons);
        if (jar != null) {
            EmulatorProcess process = start(jar, options);
            return new FirestoreEmulator(process.endpoint().hostAndPort(), process::close);
        }
        EmulatorContainer container = EmulatorContainer.start(options, reasons);
        if (container != null) {
            return new FirestoreEmulator(container.endpoint().hostAndPort(), container::close);
        }
        throw new EmulatorUnavailableException(
                "No Firestore emulator: " + String.join("; ", reasons) + ". Do one of these: name one that runs, "
                        + HOST_VARIABLE + "=host:port; install the Google Cloud SDK and \"gcloud components install"
                        + " cloud-firestore-emulator\" (with Debian's packages of it: google-cloud-cli-firestore-emulator);"
                        + " put org.testcontainers:testcontainers-gcloud on the class path and start Docker.",
                null);
    }

    /**
     * The emulator that runs at an address, such as {@code 127.0.0.1:8080}. Closing it does nothing.
     *
     * @throws EmulatorUnavailableException if none answers there within ten seconds
     */
    public static FirestoreEmulator at(String hostAndPort) {
        return at(hostAndPort, "emulator");
    }

    private static FirestoreEmulator at(String hostAndPort, String source) {
        Endpoint endpoint = Endpoint.parse(hostAndPort, source);
        try {
            endpoint.await(REACHABLE_WITHIN);
        } catch (IOException e) {
            throw new EmulatorUnavailableException(
                    source + " " + hostAndPort + ": no Firestore emulator answers there (" + e.getMessage()
                            + "). Start one there, or give another address"
                            + (source.equals(HOST_VARIABLE) ? ", or unset the variable to have one started." : "."),
                    e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return new FirestoreEmulator(hostAndPort, () -> {});
    }

    /** The address, as {@code FIRESTORE_EMULATOR_HOST} wants it. */
    public String hostAndPort() {
        return hostAndPort;
    }

    /**
     * A client of this emulator with all the rights of a server, and with the client's own settings otherwise. The caller
     * closes it.
     */
    public Firestore connect(String projectId) {
        return connect(projectId, UnaryOperator.identity());
    }

    /**
     * The same, with settings of the caller's own: the database's id, retries. They are not to concern host, channel and
     * credentials.
     *
     * @param interceptors see each call on its way to the emulator, each retry of the client's included
     * @throws IllegalStateException if there are interceptors and {@code FIRESTORE_EMULATOR_HOST} is set, with which the
     *     client takes none
     */
    public Firestore connect(
            String projectId, UnaryOperator<FirestoreOptions.Builder> settings, ClientInterceptor... interceptors) {
        return EmulatorClient.connect(hostAndPort, projectId, settings, List.of(interceptors));
    }

    /** Ends the emulator, if it was started by {@link #start}. Does nothing the second time. */
    @Override
    public void close() {
        stop.run();
    }

    private static EmulatorProcess start(Path jar, EmulatorOptions options) {
        try {
            return EmulatorProcess.start(jar, options);
        } catch (IOException e) {
            throw new EmulatorUnavailableException(
                    "The Firestore emulator " + jar + " did not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static EmulatorUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EmulatorUnavailableException("Interrupted while waiting for the Firestore emulator", e);
    }

    /** Started at most once; a failure is not kept, so that the next who asks is told of it too. */
    private static final class SharedEmulator {
        private @Nullable FirestoreEmulator emulator;

        synchronized FirestoreEmulator get(Map<String, String> environment) {
            if (emulator == null) {
                // Without its stop: whoever closes it does not know of the others.
                emulator = new FirestoreEmulator(find(environment).hostAndPort(), () -> {});
            }
            return emulator;
        }
    }
}
