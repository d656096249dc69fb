/**
 * Configures CounterKit in a Spring Boot application, version 3.5 or 4. Start at {@link
 * io.counterkit.spring.CounterKitAutoConfiguration}.
 */
@NullMarked
package io.counterkit.spring;

import org.jspecify.annotations.NullMarked;
