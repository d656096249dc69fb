/**
 * Counters and sequences for applications. Start at {@link io.counterkit.Counters}, which is created once over a
 * backend, or injected, and returns each {@link io.counterkit.Counter} and {@link io.counterkit.Sequence} by name.
 *
 * <ul>
 *   <li>Handles: {@link io.counterkit.Counters}, {@link io.counterkit.Counter}, {@link io.counterkit.Sequence}, their
 *       asynchronous forms, and {@link io.counterkit.CounterTransaction}
 *   <li>What continues until it is closed or complete: {@link io.counterkit.Watch}, {@link io.counterkit.Follower},
 *       {@link io.counterkit.RangeJob}
 *   <li>Values: {@link io.counterkit.Reading} and {@link io.counterkit.Readings}, {@link io.counterkit.Entry} and {@link
 *       io.counterkit.Change}, {@link io.counterkit.Tail}, {@link io.counterkit.Seal}, {@link
 *       io.counterkit.NumberRange}, {@link io.counterkit.NamePage}, {@link io.counterkit.NamedReading}
 *   <li>Repetition: {@link io.counterkit.IdempotencyToken}, {@link io.counterkit.Resolution}, {@link
 *       io.counterkit.TransactionResult}
 *   <li>Failures: the subclasses of {@link io.counterkit.CounterException}, each with an {@link io.counterkit.Outcome}
 *   <li>Settings: {@link io.counterkit.CountersOptions}, {@link io.counterkit.FollowOptions}, {@link
 *       io.counterkit.CountersListener}, {@link io.counterkit.RampUpLimiter}
 * </ul>
 */
@NullMarked
package io.counterkit;

import org.jspecify.annotations.NullMarked;
