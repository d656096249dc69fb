package io.counterkit.spi;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/**
 * One add to one counter: a caller's own add with its token, or the sum of any number of adds without tokens, which the
 * commit's token covers.
 *
 * @param name the counter's name
 * @param delta the number to add, within ±2<sup>53</sup>
 * @param token the caller's token, to be remembered for the retention; null for an add that the commit's token covers
 */
public record AddRequest(String name, long delta, @Nullable IdempotencyToken token) {}
