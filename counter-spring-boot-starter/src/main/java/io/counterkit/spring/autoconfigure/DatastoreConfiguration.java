package io.counterkit.spring.autoconfigure;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import io.counterkit.Counters;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.datastore.cloud.DatastoreCounterOptions;
import io.counterkit.spi.CounterBackend;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The backend on a Datastore, with the application's client or with one that the properties describe. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBackend(BackendName.DATASTORE)
@ConditionalOnMissingBean({CounterBackend.class, Counters.class})
final class DatastoreConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Datastore counterKitDatastore(CounterKitProperties properties) {
        CounterKitProperties.Datastore client = properties.datastore();
        DatastoreOptions.Builder options = DatastoreOptions.newBuilder();
        if (client.project() != null) {
            options.setProjectId(client.project());
        }
        if (client.database() != null) {
            options.setDatabaseId(client.database());
        }
        if (client.emulatorHost() != null) {
            ConfigurationException.set(
                    "counterkit.datastore.emulator-host",
                    client.emulatorHost(),
                    host -> options.setHost("http://" + GoogleClients.checkEmulator(host)));
            options.setCredentials(NoCredentials.getInstance());
        }
        return GoogleClients.open(
                "datastore", client.project(), () -> options.build().getService());
    }

    @Bean
    DatastoreCounterBackend counterBackend(
            Datastore datastore, ObjectProvider<DatastoreCounterOptions> options, CounterKitProperties properties) {
        return DatastoreCounterBackend.create(datastore, options.getIfAvailable(() -> options(properties)));
    }

    private static DatastoreCounterOptions options(CounterKitProperties properties) {
        DatastoreCounterOptions.Builder options = DatastoreCounterOptions.builder();
        String namespace = properties.datastore().namespace();
        if (namespace != null) {
            ConfigurationException.set("counterkit.datastore.namespace", namespace, options::namespace);
        }
        ConfigurationException.set("counterkit.token-retention", properties.tokenRetention(), options::retention);
        return options.build();
    }
}
