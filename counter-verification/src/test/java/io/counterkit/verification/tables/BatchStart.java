package io.counterkit.verification.tables;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.AppendRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What several appends at once read in a separate step before they append, if that is the mistake.
 *
 * @param tokens what their tokens stand for; null if each append looks for its token
 * @param isOpen whether the sequence was open, so that the appends do not look for a seal
 * @param subjects which of their subjects are live; null if each append looks for its subject
 */
record BatchStart(
        @Nullable Map<IdempotencyToken, Resolution> tokens,
        boolean isOpen,
        @Nullable Map<String, Boolean> subjects) {
    static BatchStart of(Tables tables, TableTokens tokens, String sequence, boolean isOpen, List<AppendRequest> all) {
        if (all.size() == 1) {
            return new BatchStart(null, false, null);
        }
        BatchStart start = new BatchStart(
                tables.has(Mistake.BATCH_CHECKS_TOKENS_FIRST) ? new HashMap<>() : null,
                tables.has(Mistake.BATCH_CHECKS_SEAL_FIRST) && isOpen,
                tables.has(Mistake.BATCH_CHECKS_SUBJECTS_FIRST) ? new HashMap<>() : null);
        for (AppendRequest request : all) {
            Resolution known = request.token() == null ? null : tokens.find(request.token());
            if (start.tokens() != null && known != null) {
                start.tokens().put(Objects.requireNonNull(request.token()), known);
            }
            if (start.subjects() != null && request.subject() != null) {
                String key = tables.subjectKey(sequence, request.subject(), false);
                start.subjects().put(key, Boolean.TRUE.equals(tables.subjects.get(key)));
            }
        }
        tables.gap(Mistake.BATCH_CHECKS_TOKENS_FIRST);
        tables.gap(Mistake.BATCH_CHECKS_SEAL_FIRST);
        tables.gap(Mistake.BATCH_CHECKS_SUBJECTS_FIRST);
        return start;
    }
}
