/** What CounterKit does, as Micrometer's meters: {@link io.counterkit.micrometer.MicrometerCountersListener}. */
@NullMarked
package io.counterkit.micrometer;

import org.jspecify.annotations.NullMarked;
