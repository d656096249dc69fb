package io.counterkit.internal.request;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Limits;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry that is to be appended: its arguments are checked and copied. */
record EntryDraft(
        String sequence,
        Change change,
        @Nullable String subject,
        Map<String, Object> fields,
        @Nullable IdempotencyToken token) {
    static EntryDraft of(String sequence, Map<String, ?> fields) {
        return new EntryDraft(sequence, Change.ADDED, null, Fields.check(fields), null);
    }

    static EntryDraft of(String sequence, Change change, String subject, Map<String, ?> fields) {
        Objects.requireNonNull(change, "change");
        return new EntryDraft(sequence, change, Limits.checkName("subject", subject), Fields.check(fields), null);
    }

    EntryDraft under(IdempotencyToken callersToken) {
        return new EntryDraft(sequence, change, subject, fields, Objects.requireNonNull(callersToken, "token"));
    }

    @Override
    public String toString() {
        return subject == null
                ? "append to '" + sequence + "'"
                : "append " + change.noun() + " of '" + subject + "' to '" + sequence + "'";
    }
}
