package io.counterkit.datastore.internal.schema;

import io.counterkit.Change;
import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is stored under a token: what it stands for. It is made in the transaction that it covers, and never changed. */
public sealed interface TokenNote {
    /** What whoever asks is told. {@code origin} is null for a caller's token. */
    Resolution resolution(@Nullable ChangeTarget origin);

    /** Nothing, and nothing ever will be applied under it: whoever creates the note first wins. */
    record Voided() implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget origin) {
            return new Resolution.NotApplied();
        }
    }

    /** A caller's add. */
    record Add(String counter, long delta) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget origin) {
            return new Resolution.Added(counter, delta);
        }
    }

    /** A caller's append. */
    record Append(
            String sequence,
            long number,
            Change change,
            @Nullable String subject) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget origin) {
            return new Resolution.Appended(sequence, number);
        }
    }

    /**
     * A commit.
     *
     * @param numbers of a commit of appends: the number that each request got, 0 for one that was refused or has a token
     *     of its own; otherwise empty
     */
    record Commit(String name, List<Long> numbers) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget origin) {
            if (origin == null || !origin.isAppend()) {
                return new Resolution.Done(name);
            }
            long number = number(origin.request());
            return number == 0 ? new Resolution.NotApplied() : new Resolution.Appended(name, number);
        }

        /** The number of that request; 0 if it got none. */
        public long number(int request) {
            return request < numbers.size() ? numbers.get(request) : 0;
        }
    }

    /** A caller's transaction, with what it changed here, in order. */
    record Transaction(List<Resolution> changes) implements TokenNote {
        @Override
        public Resolution resolution(@Nullable ChangeTarget origin) {
            return changes.isEmpty() ? new Resolution.Done("transaction") : changes.get(0);
        }
    }
}
