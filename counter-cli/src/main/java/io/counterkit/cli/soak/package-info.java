/**
 * {@code counter soak}: many workers change many names while faults happen, and then every name is checked. Start at
 * {@link io.counterkit.cli.soak.SoakCommand}; what is checked is in {@code CounterBook}, {@code SequenceBook} and
 * {@code FinalCheck}.
 */
@NullMarked
package io.counterkit.cli.soak;

import org.jspecify.annotations.NullMarked;
