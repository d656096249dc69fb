/**
 * Classes that pass each call of the SPI to another backend, for decorators: metrics, limits, tests. Start at {@link
 * io.counterkit.spi.forward.ForwardingCounterBackend}, extend the class whose calls you change, and override their
 * methods.
 */
@NullMarked
package io.counterkit.spi.forward;

import org.jspecify.annotations.NullMarked;
