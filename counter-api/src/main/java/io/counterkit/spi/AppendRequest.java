package io.counterkit.spi;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entry to append. The API layer creates it once from the caller's arguments, and the same object reaches the
 * backend.
 *
 * @param change the effect of the entry on its subject; {@link Change#ADDED} without a subject
 * @param subject the item that the entry adds, updates or removes; null if there is none
 * @param fields the fields, within the {@link Limits}; must not be modified. The API layer passes an immutable copy, which
 *     the {@link Entry} shares
 * @param token the caller's token, to be remembered for the retention. Null for an entry that the commit's token covers
 *     together with its index in the list of requests: see {@link ChangeTarget#append}
 */
public record AppendRequest(
        Change change,
        @Nullable String subject,
        Map<String, Object> fields,
        @Nullable IdempotencyToken token) {
    /**
     * Creates a request for an entry without a subject. Copies the fields.
     *
     * @throws IllegalArgumentException if the fields exceed the {@link Limits}
     */
    public static AppendRequest of(Map<String, ?> fields, @Nullable IdempotencyToken token) {
        return new AppendRequest(Change.ADDED, null, Fields.check(fields), token);
    }

    /**
     * Creates a request of a transaction of the application, where one method appends with and without a subject.
     * Copies the fields.
     *
     * @throws IllegalArgumentException if {@code subject} is not a valid name, or is null and the change is not {@link
     *     Change#ADDED}, or the fields exceed the {@link Limits}
     */
    public static AppendRequest ofTransaction(
            Change change, @Nullable String subject, Map<String, ?> fields, @Nullable IdempotencyToken token) {
        Objects.requireNonNull(change, "change");
        if (subject != null) {
            return of(change, subject, fields, token);
        }
        if (change != Change.ADDED) {
            throw new IllegalArgumentException(change.noun() + " without a subject: name the subject that it changes");
        }
        return of(fields, token);
    }

    /**
     * Creates a request for an entry that changes {@code subject}. Copies the fields.
     *
     * @throws IllegalArgumentException if {@code subject} is not a valid name or the fields exceed the {@link Limits}
     */
    public static AppendRequest of(
            Change change, String subject, Map<String, ?> fields, @Nullable IdempotencyToken token) {
        Objects.requireNonNull(change, "change");
        return new AppendRequest(change, Limits.checkName("subject", subject), Fields.check(fields), token);
    }

    /**
     * Returns why this entry is refused, or null if it may be appended: an addition needs a subject that is not live,
     * and an update or a removal needs a live one. An entry without a subject is never refused.
     *
     * @param isLive whether the subject is live in the sequence after the preceding requests
     */
    public @Nullable ChangeRefusedException refusal(String sequence, boolean isLive) {
        return subject == null || isLive != (change == Change.ADDED)
                ? null
                : refused(sequence, ": it is " + (isLive ? "live already" : "not live"));
    }

    /**
     * Returns whether an entry that was appended with the same token has the change and the subject of this request. If
     * not, the token was used for another change. Fields are not compared.
     */
    public boolean matches(Entry entry) {
        return entry.change() == change && Objects.equals(entry.subject(), subject);
    }

    /** Returns whether the subject is live after this entry, which is true unless the entry removes it. */
    public boolean leavesSubjectLive() {
        return change != Change.REMOVED;
    }

    /** Returns the refusal of an entry whose earlier attempt was refused, for a repeated commit. */
    public ChangeRefusedException earlierRefusal(String sequence) {
        return refused(sequence, " earlier: it did not fit its subject");
    }

    private ChangeRefusedException refused(String sequence, String why) {
        return new ChangeRefusedException(
                "the " + change.noun() + " of '" + subject + "' in '" + sequence + "' was refused" + why);
    }
}
