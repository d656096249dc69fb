/**
 * What an application on Spring Boot, version 3.5 or 4, imports. Start at {@link
 * io.counterkit.spring.CounterTransactions}; all other beans have the types of {@code io.counterkit}.
 */
@NullMarked
package io.counterkit.spring;

import org.jspecify.annotations.NullMarked;
