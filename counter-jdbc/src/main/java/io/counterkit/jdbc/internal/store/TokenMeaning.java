package io.counterkit.jdbc.internal.store;

import io.counterkit.CorruptDataException;
import io.counterkit.Resolution;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The change that a stored token was used for. */
sealed interface TokenMeaning {
    /** Returns the row of a token that is new: token, kind, name, value, numbers. */
    @Nullable Object[] row(String token);

    /** Returns the resolution, for the append that was {@code request} in its batch, or for any other change. */
    Resolution resolution(int request);

    /** An add of a caller. */
    record Added(String name, long delta) implements TokenMeaning {
        @Override
        public @Nullable Object[] row(String token) {
            return new @Nullable Object[] {token, "added", name, delta, null};
        }

        @Override
        public Resolution resolution(int request) {
            return new Resolution.Added(name, delta);
        }
    }

    /** An entry of a caller. */
    record Appended(String name, long number) implements TokenMeaning {
        @Override
        public @Nullable Object[] row(String token) {
            return new @Nullable Object[] {token, "appended", name, number, null};
        }

        @Override
        public Resolution resolution(int request) {
            return new Resolution.Appended(name, number);
        }
    }

    /** The entries that share the token of a commit, with the number of each request. */
    record Batch(String name, List<Long> numbers) implements TokenMeaning {
        long number(int request) {
            return request < numbers.size() ? numbers.get(request) : 0;
        }

        @Override
        public @Nullable Object[] row(String token) {
            return new @Nullable Object[] {token, "batch", name, 0L, Numbers.encode(numbers)};
        }

        @Override
        public Resolution resolution(int request) {
            long number = request < 0 ? 0 : number(request);
            return number == 0 ? new Resolution.NotApplied() : new Resolution.Appended(name, number);
        }
    }

    /** A transaction of the application, with the numbers of its entries, each added as it is appended. */
    record Transaction(List<Long> numbers) implements TokenMeaning {
        @Override
        public @Nullable Object[] row(String token) {
            return new @Nullable Object[] {
                token, "transaction", "transaction", 0L, numbers.isEmpty() ? null : Numbers.encode(numbers)
            };
        }

        @Override
        public Resolution resolution(int request) {
            return new Resolution.Committed();
        }
    }

    /** Any other change, or adds that share the token of a commit. */
    record Done(String name) implements TokenMeaning {
        @Override
        public @Nullable Object[] row(String token) {
            return new @Nullable Object[] {token, "done", name, 0L, null};
        }

        @Override
        public Resolution resolution(int request) {
            return new Resolution.Done(name);
        }
    }

    /** No change, now or later. */
    record Never() implements TokenMeaning {
        @Override
        public @Nullable Object[] row(String token) {
            return new @Nullable Object[] {token, "never", "", 0L, null};
        }

        @Override
        public Resolution resolution(int request) {
            return new Resolution.NotApplied();
        }
    }

    /** Reads the columns kind, name, value and numbers. */
    static TokenMeaning of(ResultSet row) throws SQLException {
        String kind = row.getString("kind");
        String name = row.getString("name");
        long value = row.getLong("value");
        String numbers = row.getString("numbers");
        return switch (kind) {
            case "added" -> new Added(name, value);
            case "appended" -> new Appended(name, value);
            case "batch" -> new Batch(name, decode(name, numbers));
            case "transaction" -> new Transaction(numbers == null ? List.of() : decode(name, numbers));
            case "done" -> new Done(name);
            case "never" -> new Never();
            default -> throw new CorruptDataException("a token of '" + name + "' has the unknown kind '" + kind + "'");
        };
    }

    private static List<Long> decode(String name, @Nullable String numbers) {
        try {
            return Numbers.decode(numbers == null ? "" : numbers);
        } catch (NumberFormatException e) {
            throw new CorruptDataException("a token of '" + name + "' has the numbers '" + numbers + "'", e);
        }
    }
}
