package io.counterkit.spring.autoconfigure;

import static java.lang.System.Logger.Level.WARNING;

import io.counterkit.Counters;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.CounterBackend;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The backend in memory. Its store is a bean, so that tests can inspect it and inject faults. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBackend(BackendName.INMEMORY)
@ConditionalOnMissingBean({CounterBackend.class, Counters.class})
final class InMemoryConfiguration {
    private static final System.Logger LOG = System.getLogger(CounterKitAutoConfiguration.class.getName());

    @Bean
    @ConditionalOnMissingBean
    InMemoryStore inMemoryStore(CounterKitProperties properties, ObjectProvider<InMemoryOptions> options) {
        return InMemoryStore.create(options.getIfAvailable(() -> options(properties)));
    }

    private static InMemoryOptions options(CounterKitProperties properties) {
        InMemoryOptions.Builder options = InMemoryOptions.builder();
        ConfigurationException.set("counterkit.token-retention", properties.tokenRetention(), options::retention);
        return options.build();
    }

    @Bean
    InMemoryBackend counterBackend(InMemoryStore store, CounterKitProperties properties) {
        if (properties.backend() == null) {
            LOG.log(
                    WARNING,
                    "The counters are in memory, since no other backend is on the class path: they are lost when this"
                            + " process ends. If that is intended, set counterkit.backend=inmemory.");
        }
        return InMemoryBackend.over(store);
    }
}
