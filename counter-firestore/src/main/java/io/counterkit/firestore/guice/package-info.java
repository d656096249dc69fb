/** The backend on Firestore for applications that use Guice. Start at the one module. */
@NullMarked
package io.counterkit.firestore.guice;

import org.jspecify.annotations.NullMarked;
