/**
 * Configures CounterKit in a Spring Boot application from its properties, its class path and its beans. Start at {@link
 * io.counterkit.spring.autoconfigure.CounterKitAutoConfiguration}.
 */
@NullMarked
package io.counterkit.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
