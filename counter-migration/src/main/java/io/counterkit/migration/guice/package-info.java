/** Binds a migration for applications that use Guice. Start at the one module. */
@NullMarked
package io.counterkit.migration.guice;

import org.jspecify.annotations.NullMarked;
