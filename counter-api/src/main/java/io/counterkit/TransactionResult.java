package io.counterkit;

import java.util.List;

/**
 * The result of a transaction of the application, the same each time it is sent under its token.
 *
 * @param numbers the numbers of its appended entries, in order
 * @param isRepeated whether its token was found: an earlier call, or an earlier attempt of this one, had applied it
 */
public record TransactionResult(List<Long> numbers, boolean isRepeated) {
    public TransactionResult {
        numbers = List.copyOf(numbers);
    }
}
