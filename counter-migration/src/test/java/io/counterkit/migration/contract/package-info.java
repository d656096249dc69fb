/** The contract at several points of a rollout. Start at {@code HalfRolloutContractTest}. */
@NullMarked
package io.counterkit.migration.contract;

import org.jspecify.annotations.NullMarked;
