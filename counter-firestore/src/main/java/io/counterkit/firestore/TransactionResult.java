package io.counterkit.firestore;

import java.util.List;

/**
 * What a transaction of the caller's has done, the same each time it is sent under its token.
 *
 * @param numbers those that its appends got, in their order
 * @param isRepeated whether it had been applied before, and its body was not run, or run in vain, this time
 */
public record TransactionResult(List<Long> numbers, boolean isRepeated) {
    public TransactionResult {
        numbers = List.copyOf(numbers);
    }
}
