package io.counterkit.spring.autoconfigure;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.Counters;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.spi.CounterBackend;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The backend on Firestore, with the application's client or with one that the properties describe. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBackend(BackendName.FIRESTORE)
@ConditionalOnMissingBean({CounterBackend.class, Counters.class})
final class FirestoreConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Firestore counterKitFirestore(CounterKitProperties properties) {
        CounterKitProperties.Firestore client = properties.firestore();
        FirestoreOptions.Builder options = FirestoreOptions.newBuilder();
        if (client.project() != null) {
            options.setProjectId(client.project());
        }
        if (client.database() != null) {
            options.setDatabaseId(client.database());
        }
        if (client.emulatorHost() != null) {
            ConfigurationException.set(
                    "counterkit.firestore.emulator-host",
                    client.emulatorHost(),
                    host -> options.setEmulatorHost(GoogleClients.checkEmulator(host)));
            // With other credentials the client connects to the live service.
            options.setCredentials(new FirestoreOptions.EmulatorCredentials());
        }
        return GoogleClients.open(
                "firestore", client.project(), () -> options.build().getService());
    }

    @Bean
    FirestoreCounterBackend counterBackend(
            Firestore firestore, ObjectProvider<FirestoreCounterOptions> options, CounterKitProperties properties) {
        return FirestoreCounterBackend.create(firestore, options.getIfAvailable(() -> options(properties)));
    }

    private static FirestoreCounterOptions options(CounterKitProperties properties) {
        FirestoreCounterOptions.Builder options = FirestoreCounterOptions.builder();
        ConfigurationException.set("counterkit.token-retention", properties.tokenRetention(), options::retention);
        return options.build();
    }
}
