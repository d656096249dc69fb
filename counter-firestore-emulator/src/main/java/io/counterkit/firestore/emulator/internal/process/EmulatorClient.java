package io.counterkit.firestore.emulator.internal.process;

import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.grpc.ClientInterceptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** Creates clients that connect to the emulator and never to the live service. */
public final class EmulatorClient {
    private EmulatorClient() {}

    /**
     * Creates a client.
     *
     * @param settings further settings; they must not set the host, the channel or the credentials
     * @throws IllegalStateException if there are interceptors and the client accepts none
     */
    public static Firestore connect(
            String hostAndPort,
            String projectId,
            UnaryOperator<FirestoreOptions.Builder> settings,
            List<ClientInterceptor> interceptors) {
        // NoCredentials would connect to the live service, and without credentials the client would search this
        // machine.
        FirestoreOptions.EmulatorCredentials credentials = new FirestoreOptions.EmulatorCredentials();
        FirestoreOptions.Builder builder =
                FirestoreOptions.newBuilder().setProjectId(projectId).setCredentials(credentials);
        if (interceptors.isEmpty()) {
            builder.setEmulatorHost(hostAndPort);
        } else {
            // Without setEmulatorHost, which would replace this channel by the client's own.
            builder.setChannelProvider(InstantiatingGrpcChannelProvider.newBuilder()
                            .setEndpoint(hostAndPort)
                            .setChannelConfigurator(channel -> channel.usePlaintext())
                            .setInterceptorProvider(() -> interceptors)
                            .build())
                    .setCredentialsProvider(FixedCredentialsProvider.create(credentials));
        }
        FirestoreOptions options = settings.apply(builder).build();
        if (!interceptors.isEmpty() && options.getEmulatorHost() != null) {
            throw new IllegalStateException(
                    "FIRESTORE_EMULATOR_HOST is set, and Firestore's client then creates its own"
                            + " channel, without interceptors: unset it in the environment of this JVM, so that an emulator is"
                            + " started");
        }
        return options.getService();
    }

    /** Makes the calls that an emulator, and the client in this JVM, take seconds to answer for the first time. */
    public static void callOnce(String hostAndPort, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        Firestore client = connect(hostAndPort, "demo-first-calls", UnaryOperator.identity(), List.of());
        try {
            DocumentReference document = client.document("first/call");
            client.runTransaction(transaction -> {
                        transaction.get(document).get();
                        return transaction.set(document, Map.of("n", 1));
                    })
                    .get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            client.collection("first").get().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } finally {
            client.shutdown();
        }
    }
}
