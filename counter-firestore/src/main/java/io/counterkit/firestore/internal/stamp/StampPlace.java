package io.counterkit.firestore.internal.stamp;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a commit's stamp: a shard, and the update time of the shard before the commit. The commit's token
 * contains the place as its mark, so that any process can resolve the token.
 *
 * @param counter the counter of the shard
 */
public record StampPlace(String counter, int shard, Timestamp before) {
    /** The mark of a commit that is known to be applied. */
    public static final String APPLIED = "+";

    /** The mark of a commit whose stamp other software may have removed. */
    public static final String LOST = "lost";

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,4})\\.(\\d{1,12})\\.(\\d{1,9})(?:\\.([A-Za-z0-9_-]+))?");

    /** The most bytes of a caller's token besides the mark and the counter's name. */
    private static final int OTHER_BYTES = 60;

    /**
     * Returns the mark of a commit.
     *
     * @param isAlone whether the commit adds to this counter only
     */
    public String mark(boolean isAlone) {
        String mark = shard + "." + before.getSeconds() + "." + before.getNanos();
        return isAlone
                ? mark
                : mark + "."
                        + Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(counter.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the token of an add to a counter can carry a mark. */
    public static boolean fits(String mark, String name) {
        return mark.length() + name.getBytes(StandardCharsets.UTF_8).length + OTHER_BYTES <= Limits.MAX_TOKEN_BYTES;
    }

    /**
     * Returns the place in a token; null if its mark is not a place.
     *
     * @param counter the counter of the commit, if it adds to one only
     */
    static @Nullable StampPlace of(IdempotencyToken token, String counter) {
        String mark = Commit.markOf(token);
        Matcher form = FORM.matcher(mark == null ? "" : mark);
        if (!form.matches()) {
            return null;
        }
        Timestamp before =
                Timestamp.ofTimeSecondsAndNanos(Long.parseLong(form.group(2)), Integer.parseInt(form.group(3)));
        String name = form.group(4);
        return new StampPlace(
                name == null
                        ? counter
                        : Limits.checkName(
                                "name in token",
                                new String(Base64.getUrlDecoder().decode(name), StandardCharsets.UTF_8)),
                Integer.parseInt(form.group(1)),
                before);
    }

    DocumentReference document(FirestoreSchema schema) {
        return schema.shard(counter, shard);
    }
}
