/**
 * The types that an application on Spring Boot 3.5 or 4 imports. Start at {@link
 * io.counterkit.spring.CounterTransactions}; the types of all other beans are those of the API and of the backends.
 */
@NullMarked
package io.counterkit.spring;

import org.jspecify.annotations.NullMarked;
