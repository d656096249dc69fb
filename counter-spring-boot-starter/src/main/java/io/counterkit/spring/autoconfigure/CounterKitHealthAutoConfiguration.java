package io.counterkit.spring.autoconfigure;

import io.counterkit.spi.CounterBackend;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** Provides the health indicator {@code counterKit} if there is one {@link CounterBackend}, or a primary one. */
@AutoConfiguration(after = CounterKitAutoConfiguration.class)
@EnableConfigurationProperties(CounterKitProperties.class) // or an application that excludes the other class has none
@ConditionalOnSingleCandidate(CounterBackend.class)
@Import({Boot3HealthConfiguration.class, Boot4HealthConfiguration.class})
public final class CounterKitHealthAutoConfiguration {
    CounterKitHealthAutoConfiguration() {}
}
