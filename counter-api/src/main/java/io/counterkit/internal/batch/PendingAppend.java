package io.counterkit.internal.batch;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A caller's append. */
public final class PendingAppend extends PendingRequest<Entry> {
    /** About what a field takes besides its name, text or bytes. */
    private static final int FIELD_BYTES = 64;

    final String sequence;
    final Change change;
    final @Nullable String subject;
    final Map<String, Object> fields;
    final @Nullable IdempotencyToken token;

    /** An append of checked arguments. */
    public PendingAppend(
            String sequence,
            Change change,
            @Nullable String subject,
            Map<String, Object> fields,
            @Nullable IdempotencyToken token,
            PendingRequests outstanding) {
        super("append to '" + sequence + "'", bytesOf(subject, fields, token), outstanding);
        this.sequence = sequence;
        this.change = change;
        this.subject = subject;
        this.fields = fields;
        this.token = token;
    }

    /** The bytes that an append takes in the queue besides its name. */
    public static long bytesOf(@Nullable String subject, Map<String, Object> fields, @Nullable IdempotencyToken token) {
        long bytes = bytesOf(subject) + (token == null ? 0 : bytesOf(token.value()));
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            bytes += FIELD_BYTES + bytesOf(field.getKey());
            if (field.getValue() instanceof String text) {
                bytes += bytesOf(text);
            } else if (field.getValue() instanceof byte[] array) {
                bytes += array.length;
            }
        }
        return bytes;
    }
}
