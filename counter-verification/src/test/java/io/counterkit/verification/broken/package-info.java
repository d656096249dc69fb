/**
 * Backends that are wrong on purpose, each in one way, and the test that the contract kit finds them. Start at {@code
 * BrokenBackendsTest}; {@code Flaws} lists the flaws, which are in the packages below by what they concern.
 */
@NullMarked
package io.counterkit.verification.broken;

import org.jspecify.annotations.NullMarked;
