package io.counterkit.combining;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A caller's append. */
public final class AppendWaiter extends Waiter<Entry> {
    final String sequence;
    final Change change;
    final @Nullable String subject;
    final Map<String, Object> fields;
    final @Nullable IdempotencyToken token;

    /** An append of checked arguments. */
    public AppendWaiter(
            String sequence,
            Change change,
            @Nullable String subject,
            Map<String, Object> fields,
            @Nullable IdempotencyToken token,
            Outstanding outstanding) {
        super("append to '" + sequence + "'", outstanding);
        this.sequence = sequence;
        this.change = change;
        this.subject = subject;
        this.fields = fields;
        this.token = token;
    }
}
