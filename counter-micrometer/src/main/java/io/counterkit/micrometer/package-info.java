/**
 * Records the events of CounterKit in Micrometer's meters. Start at {@link
 * io.counterkit.micrometer.MicrometerCountersListener}, the only public class.
 */
@NullMarked
package io.counterkit.micrometer;

import org.jspecify.annotations.NullMarked;
