package io.counterkit.firestore;

import java.util.List;

/**
 * The result of a transaction, the same each time it is sent under its token.
 *
 * @param numbers the numbers of its appended entries, in order
 * @param isRepeated whether it had been applied before this call
 */
public record TransactionResult(List<Long> numbers, boolean isRepeated) {
    public TransactionResult {
        numbers = List.copyOf(numbers);
    }
}
