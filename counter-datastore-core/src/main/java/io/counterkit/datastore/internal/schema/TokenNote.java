package io.counterkit.datastore.internal.schema;

import io.counterkit.Change;
import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change that a stored token was used for. The note is created in the transaction of the change, and never
 * modified.
 */
public sealed interface TokenNote {
    /** Returns the resolution to report. {@code target} is null for a caller's token. */
    Resolution resolution(@Nullable ChangeTarget target);

    /** No change, now or later: the resolution created the note before a change did. */
    record Voided() implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget target) {
            return new Resolution.NotApplied();
        }
    }

    /** An add with a caller's token. */
    record Add(String counter, long delta) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget target) {
            return new Resolution.Added(counter, delta);
        }
    }

    /** An append with a caller's token. */
    record Append(
            String sequence,
            long number,
            Change change,
            @Nullable String subject) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget target) {
            return new Resolution.Appended(sequence, number);
        }
    }

    /**
     * A commit.
     *
     * @param numbers the number of each request of a commit of appends, 0 for one that was refused or has a token of
     *     its own; empty for other commits
     */
    record Commit(String name, List<Long> numbers) implements TokenNote {
        /** Creates the note of a commit that assigns no numbers. */
        public static Commit of(String name) {
            return new Commit(name, List.of());
        }

        @Override
        public Resolution resolution(@Nullable ChangeTarget target) {
            if (target == null || !target.isAppend()) {
                return new Resolution.Done(name);
            }
            long number = number(target.request());
            return number == 0 ? new Resolution.NotApplied() : new Resolution.Appended(name, number);
        }

        /** Returns the number of a request; 0 if it has none. */
        public long number(int request) {
            return request < numbers.size() ? numbers.get(request) : 0;
        }
    }

    /** A transaction of the application, with its adds and appends in order. */
    record Transaction(List<Resolution> changes) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget target) {
            return new Resolution.Committed();
        }
    }
}
