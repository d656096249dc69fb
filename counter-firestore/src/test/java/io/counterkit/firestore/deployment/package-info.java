/** The files that a project deploys: rules and indexes, and the check for them. Start at {@code RulesTest}. */
@NullMarked
package io.counterkit.firestore.deployment;

import org.jspecify.annotations.NullMarked;
