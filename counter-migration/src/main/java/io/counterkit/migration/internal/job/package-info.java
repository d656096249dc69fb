/**
 * Classes that the job and the verifier share: the scan of names, the end of a run, retries, the throttle and the
 * copying of entries. Start at {@link io.counterkit.migration.internal.job.NameScan}.
 */
@NullMarked
package io.counterkit.migration.internal.job;

import org.jspecify.annotations.NullMarked;
