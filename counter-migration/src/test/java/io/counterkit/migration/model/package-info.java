/** Short migrations whose processes take their steps in every order. Start at {@code ModelTest}. */
@NullMarked
package io.counterkit.migration.model;

import org.jspecify.annotations.NullMarked;
