package io.counterkit.spring.test;

import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.ManualClock;
import java.time.Instant;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Puts the counters in memory, on a manual clock.
 *
 * @param isSlice whether to leave out the application's components and other auto-configuration; the test's context is
 *     found in the cache by this
 */
record TestCustomizer(boolean isSlice) implements ContextCustomizer {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        TestPropertyValues.of("counterkit.backend=inmemory").applyTo(context);
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        ManualClock clock = ManualClock.at(START);
        beans.registerSingleton("counterKitClock", clock);
        beans.registerSingleton(
                "counterKitOptions", InMemoryOptions.builder().clock(clock).build());
        if (isSlice) {
            TestPropertyValues.of(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY + "=false")
                    .applyTo(context);
            beans.registerSingleton("counterKitExcludeFilter", new EveryComponent());
        }
    }
}
