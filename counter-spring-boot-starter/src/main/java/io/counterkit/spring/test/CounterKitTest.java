package io.counterkit.spring.test;

import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.ManualClock;
import io.counterkit.spring.autoconfigure.CounterKitAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Tests the part of an application that counts, with counters in memory. Needs {@code counter-inmemory} in the scope of
 * tests.
 *
 * <pre>{@code
 * @CounterKitTest
 * @Import(Likes.class)
 * class LikesTest {
 *     @Autowired Likes likes;
 *     @Autowired InMemoryStore store;
 *     @Autowired ManualClock clock;
 * }
 * }</pre>
 *
 * <p>The application's own components are left out, except those that the test imports. {@link InMemoryStore} is a
 * bean, to inspect the counts and to inject faults, and so is the {@link ManualClock} of the store, which starts at
 * 2026-01-01T00:00:00Z. Each test method has its own store.
 *
 * <p>Together with {@link org.springframework.boot.test.context.SpringBootTest}, the whole application runs with
 * counters in memory. All test methods then share the store, as they share the application: use other names in each.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(SpringExtension.class)
@BootstrapWith(SpringBootTestContextBootstrapper.class)
@ImportAutoConfiguration(CounterKitAutoConfiguration.class)
public @interface CounterKitTest {}
