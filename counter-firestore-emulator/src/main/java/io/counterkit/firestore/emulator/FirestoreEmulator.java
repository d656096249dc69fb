package io.counterkit.firestore.emulator;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.firestore.emulator.internal.process.CloudSdk;
import io.counterkit.firestore.emulator.internal.process.EmulatorClient;
import io.counterkit.firestore.emulator.internal.process.EmulatorContainer;
import io.counterkit.firestore.emulator.internal.process.EmulatorProcess;
import io.counterkit.firestore.emulator.internal.process.Endpoint;
import io.grpc.ClientInterceptor;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A running Firestore emulator. One that was started here runs in a process of its own, and ends when it is closed or
 * this JVM ends, even by a crash or a kill. Thread-safe.
 *
 * <pre>{@code
 * Firestore firestore = FirestoreEmulator.shared().connect("demo-" + UUID.randomUUID());
 * }</pre>
 *
 * <p>An unused project id is an empty database. That is much faster than a new emulator for each test.
 */
public final class FirestoreEmulator implements AutoCloseable {
    private static final String HOST_VARIABLE = "FIRESTORE_EMULATOR_HOST";

    /** On a busy machine an emulator may take seconds to answer. */
    private static final Duration REACHABLE_WITHIN = Duration.ofSeconds(10);

    private static final SharedEmulator SHARED = new SharedEmulator();

    private final String hostAndPort;
    private final Runnable stop;

    private FirestoreEmulator(String hostAndPort, Runnable stop) {
        this.hostAndPort = hostAndPort;
        this.stop = stop;
    }

    /**
     * Returns the emulator of this JVM: the one that the environment variable {@code FIRESTORE_EMULATOR_HOST} names, or
     * else one that the first call starts as {@link #start} does. Closing it does nothing.
     *
     * @throws EmulatorUnavailableException if there is none; the message says what to install
     */
    public static FirestoreEmulator shared() {
        return SHARED.get();
    }

    static FirestoreEmulator find(Map<String, String> environment) {
        String named = environment.getOrDefault(HOST_VARIABLE, "");
        return named.isEmpty() ? start(EmulatorOptions.defaults(), environment) : at(named, HOST_VARIABLE);
    }

    /**
     * Starts an emulator for the caller alone. Uses the emulator of the Google Cloud SDK on the {@code PATH}, or in the
     * folder that {@code CLOUDSDK_ROOT_DIR} or {@code GOOGLE_CLOUD_SDK_HOME} names. If there is none, uses one in
     * Docker if Testcontainers is on the class path. In native mode, returns after the emulator has answered a
     * transaction and a query, since the first ones take seconds. They leave a document in the project {@code
     * demo-first-calls}.
     *
     * @throws EmulatorUnavailableException if there is none or it does not start; the message says what to install, or
     *     what the emulator printed
     */
    public static FirestoreEmulator start(EmulatorOptions options) {
        return start(options, System.getenv());
    }

    static FirestoreEmulator start(EmulatorOptions options, Map<String, String> environment) {
        long start = System.nanoTime();
        FirestoreEmulator emulator = launch(options, environment);
        if (options.databaseMode() == DatabaseMode.FIRESTORE_NATIVE) {
            emulator.callOnce(options.patience().minusNanos(System.nanoTime() - start));
        }
        return emulator;
    }

    private static FirestoreEmulator launch(EmulatorOptions options, Map<String, String> environment) {
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
                "No Firestore emulator: " + String.join("; ", reasons) + ". Do one of these: name a running one, "
                        + HOST_VARIABLE + "=host:port; install the Google Cloud SDK and \"gcloud components install"
                        + " cloud-firestore-emulator\" (with Debian's packages of it: google-cloud-cli-firestore-emulator);"
                        + " put org.testcontainers:testcontainers-gcloud on the class path and start Docker.",
                null);
    }

    /**
     * Returns the emulator that runs at an address, such as {@code 127.0.0.1:8080}. Closing it does nothing.
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
                    source + " " + hostAndPort + ": no Firestore emulator answers there ("
                            + (e instanceof UnknownHostException ? "unknown host " : "") + e.getMessage()
                            + "). Start one there, or give another address"
                            + (source.equals(HOST_VARIABLE) ? ", or unset the variable to have one started." : "."),
                    e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return new FirestoreEmulator(hostAndPort, () -> {});
    }

    /**
     * Returns {@code hostAndPort}.
     *
     * @throws IllegalArgumentException if it is not a host and a port
     */
    public static String checkAddress(String hostAndPort) {
        return Endpoint.parse(hostAndPort, "emulator").hostAndPort();
    }

    /** Returns the address, as {@code FIRESTORE_EMULATOR_HOST} expects it. */
    public String hostAndPort() {
        return hostAndPort;
    }

    /** Creates a client of this emulator with all rights of a server and default settings. The caller closes it. */
    public Firestore connect(String projectId) {
        return connect(projectId, UnaryOperator.identity());
    }

    /**
     * Creates a client with additional settings, such as the database's id or retries. They must not set the host, the
     * channel or the credentials.
     *
     * @param interceptors receive each call to the emulator, including each retry of the client
     * @throws IllegalStateException if there are interceptors and {@code FIRESTORE_EMULATOR_HOST} is set, since the
     *     client then accepts none
     */
    public Firestore connect(
            String projectId, UnaryOperator<FirestoreOptions.Builder> settings, ClientInterceptor... interceptors) {
        return EmulatorClient.connect(hostAndPort, projectId, settings, List.of(interceptors));
    }

    /** Ends the emulator if {@link #start} started it. Closing again does nothing. */
    @Override
    public void close() {
        stop.run();
    }

    /** Makes the first calls, so that their seconds are not those of the caller's first call, which has a deadline. */
    private void callOnce(Duration patience) {
        try {
            EmulatorClient.callOnce(hostAndPort, patience);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            close();
            throw new EmulatorUnavailableException(
                    "The Firestore emulator at " + hostAndPort + " did not answer its first calls: " + e.getMessage(),
                    e);
        } catch (InterruptedException e) {
            close();
            throw interrupted(e);
        }
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

    /** Starts the shared emulator at most once. A failure is not kept: the next call tries again. */
    private static final class SharedEmulator {
        private @Nullable FirestoreEmulator emulator;

        synchronized FirestoreEmulator get() {
            if (emulator == null) {
                // Has nothing to stop, since closing it must not end the emulator for other users.
                emulator = new FirestoreEmulator(find(System.getenv()).hostAndPort(), () -> {});
            }
            return emulator;
        }
    }
}
