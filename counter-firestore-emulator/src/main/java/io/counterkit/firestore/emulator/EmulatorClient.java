package io.counterkit.firestore.emulator;

import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.grpc.ClientInterceptor;
import java.util.List;
import java.util.function.UnaryOperator;

/** Builds clients that reach the emulator and nothing else; there are several ways to end up in production instead. */
final class EmulatorClient {
    private EmulatorClient() {}

    static Firestore connect(
            String hostAndPort,
            String projectId,
            UnaryOperator<FirestoreOptions.Builder> more,
            List<ClientInterceptor> interceptors) {
        // These credentials, and no search for the real ones of this machine. NoCredentials would dial production.
        FirestoreOptions.EmulatorCredentials credentials = new FirestoreOptions.EmulatorCredentials();
        FirestoreOptions.Builder builder =
                FirestoreOptions.newBuilder().setProjectId(projectId).setCredentials(credentials);
        if (interceptors.isEmpty()) {
            builder.setEmulatorHost(hostAndPort);
        } else {
            // With an emulator's host set, the client's builder would put its own channel in the place of this one.
            builder.setChannelProvider(channels(hostAndPort, interceptors))
                    .setCredentialsProvider(FixedCredentialsProvider.create(credentials));
        }
        FirestoreOptions options = more.apply(builder).build();
        if (!interceptors.isEmpty() && options.getEmulatorHost() != null) {
            throw new IllegalStateException("FIRESTORE_EMULATOR_HOST is set, and Firestore's client then makes its own"
                    + " channel, without interceptors: unset it in the environment of this JVM, so that an emulator is"
                    + " started");
        }
        return options.getService();
    }

    private static InstantiatingGrpcChannelProvider channels(String hostAndPort, List<ClientInterceptor> interceptors) {
        return InstantiatingGrpcChannelProvider.newBuilder()
                .setEndpoint(hostAndPort)
                .setChannelConfigurator(builder -> builder.usePlaintext())
                .setInterceptorProvider(() -> interceptors)
                .build();
    }
}
