/** A shop on Spring Boot that counts likes and numbers orders. Start at {@link io.counterkit.examples.shop.Shop}. */
@NullMarked
package io.counterkit.examples.shop;

import org.jspecify.annotations.NullMarked;
