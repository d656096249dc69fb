/**
 * Checks the settings that a database needs: indexes, exemptions and a TTL policy. Start at {@link
 * io.counterkit.firestore.internal.deployment.DeploymentCheck}.
 */
@NullMarked
package io.counterkit.firestore.internal.deployment;

import org.jspecify.annotations.NullMarked;
