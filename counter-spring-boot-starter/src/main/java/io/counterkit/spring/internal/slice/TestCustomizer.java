package io.counterkit.spring.internal.slice;

import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.ManualClock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Puts the counters in memory, on a manual clock.
 *
 * @param slice the test without the application's components and other auto-configuration; null for a whole
 *     application. It is a part of the key of the context cache, so that slices share no context: they may run
 *     concurrently and end it
 */
record TestCustomizer(@Nullable Class<?> slice) implements ContextCustomizer {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        TestPropertyValues.of("counterkit.backend=inmemory").applyTo(context);
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        ManualClock clock = ManualClock.at(START);
        beans.registerSingleton("counterKitClock", clock);
        beans.registerSingleton(
                "counterKitOptions", InMemoryOptions.builder().clock(clock).build());
        if (slice != null) {
            TestPropertyValues.of(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY + "=false")
                    .applyTo(context);
            beans.registerSingleton("counterKitExcludeFilter", new EveryComponent());
        }
    }
}
