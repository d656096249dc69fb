/**
 * Backends that are wrong on purpose, each in one way, and the test that the contract kit finds them. Start at {@code
 * BrokenBackendsTest}; the flaws are in the classes whose names end in {@code Flaws}, by chapter.
 */
@NullMarked
package io.counterkit.verification.broken;

import org.jspecify.annotations.NullMarked;
