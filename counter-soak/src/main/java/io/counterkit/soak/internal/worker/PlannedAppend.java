package io.counterkit.soak.internal.worker;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.Fields;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An append whose content is computed from its id, so that any other content is detected.
 *
 * @param id above 0, and different for each append of the run
 * @param change what it does to the subject; {@link Change#ADDED} without one
 */
record PlannedAppend(long id, Change change, @Nullable String subject) {
    Map<String, Object> fields() {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("id", id);
        fields.put("text", "entry " + id + " / ä€😀");
        fields.put("share", id / 7.0);
        fields.put("even", id % 2 == 0);
        fields.put("at", Instant.ofEpochMilli(id));
        fields.put("bytes", Long.toHexString(id).getBytes(StandardCharsets.US_ASCII));
        return fields;
    }

    Entry appendTo(Sequence sequence) {
        return subject == null ? sequence.append(fields()) : sequence.append(change, subject, fields());
    }

    Entry appendTo(Sequence sequence, IdempotencyToken token) {
        return subject == null ? sequence.append(fields(), token) : sequence.append(change, subject, fields(), token);
    }

    /** Returns whether {@code entry} is the entry of this append. */
    boolean matches(Entry entry) {
        return entry.change() == change
                && Objects.equals(entry.subject(), subject)
                && !entry.erased()
                && Fields.areEqual(entry.fields(), fields());
    }
}
