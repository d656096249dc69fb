package io.counterkit.spring.autoconfigure;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Provides {@link Counters}, their {@link CounterBackend}, and the counters and sequences that the properties name. A
 * bean of the application of one of these types, or of the type of a backend's options, replaces the bean of this
 * class.
 *
 * <p>When the application ends, the counters refuse new requests, wait for pending ones, and close the backend, before
 * the data source or the client is closed. Beans that use the counters are destroyed first.
 */
@AutoConfiguration(
        afterName = {
            // Spring Boot 3.5
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            // Spring Boot 4
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            // Spring Cloud GCP
            "com.google.cloud.spring.autoconfigure.firestore.GcpFirestoreAutoConfiguration",
            "com.google.cloud.spring.autoconfigure.datastore.GcpDatastoreAutoConfiguration"
        })
@EnableConfigurationProperties(CounterKitProperties.class)
@Import({
    JdbcConfiguration.class,
    FirestoreConfiguration.class,
    DatastoreConfiguration.class,
    InMemoryConfiguration.class,
    NoBackendConfiguration.class,
    JdbcTransactionsConfiguration.class,
    MicrometerConfiguration.class,
    NamedBeans.class
})
public final class CounterKitAutoConfiguration {
    CounterKitAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    CountersOptions countersOptions(CounterKitProperties properties, ObjectProvider<CountersListener> listeners) {
        CountersOptions.Builder options = CountersOptions.builder();
        ConfigurationException.set("counterkit.deadline", properties.deadline(), options::deadline);
        ConfigurationException.set("counterkit.drain-timeout", properties.drainTimeout(), options::drainTimeout);
        ConfigurationException.set("counterkit.queue-limit", properties.queueLimit(), options::queueLimit);
        ConfigurationException.set(
                "counterkit.queue-bytes", properties.queueBytes().toBytes(), options::queueBytes);
        return options.listener(CombinedListener.of(listeners.orderedStream().toList()))
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    Counters counters(CounterBackend backend, CountersOptions options) {
        try {
            return Counters.over(backend, options);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "counterkit.deadline cannot be used: " + Reasons.of(e) + ".",
                    "Set counterkit.deadline to a shorter time, or counterkit.token-retention to a longer one.",
                    e);
        }
    }
}
