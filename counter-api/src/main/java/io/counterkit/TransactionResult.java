package io.counterkit;

import java.util.List;

/**
 * The result of a transaction of the application. Repeating the transaction with its token returns the same numbers.
 *
 * @param numbers the numbers of its appended entries, in order
 * @param isRepeated whether an earlier call or an earlier attempt with the same token had applied it
 */
public record TransactionResult(List<Long> numbers, boolean isRepeated) {
    public TransactionResult {
        numbers = List.copyOf(numbers);
    }
}
