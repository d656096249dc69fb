package io.counterkit.spring.autoconfigure;

import io.counterkit.micrometer.MicrometerCountersListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records the events of the counters in the application's meters. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({MeterRegistry.class, MicrometerCountersListener.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
final class MicrometerConfiguration {
    @Bean
    @ConditionalOnMissingBean
    MicrometerCountersListener micrometerCountersListener(MeterRegistry registry) {
        return MicrometerCountersListener.create(registry, Tags.empty());
    }
}
