package io.counterkit.firestore.internal.lane;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.firestore.internal.stamp.Stamps;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The state of one process for one shard, used by one commit at a time. The remembered update time is correct until
 * another writer changes the shard. Owned by the commit that has taken it from {@link Lanes}, which guards all other
 * uses.
 */
final class Lane {
    /** The most stamps in a shard that this strategy adds to; each is about 60 bytes. */
    static final int MOST_STAMPS = 100;

    /** Above this share of overtaken commits, a token document is much faster, and cheaper or about as cheap. */
    private static final double TOO_OFTEN = 0.35;

    /** The weight of one commit in that share. */
    private static final double WEIGHT = 0.15;
    /** Lowers the share at each commit that does not try a stamp. */
    private static final double DECAY = 0.98;

    final String counter;
    final int shard;

    private String id = newId();

    /** The commit whose stamp is in this lane, if all its callers have been answered; null if there is none. */
    private @Nullable String settled;

    /**
     * The update time of the shard; null if it is not known. While it is known, the stamp of this lane belongs to
     * {@link #settled}.
     */
    private @Nullable Timestamp version;

    private @Nullable Timestamp settledAt;
    private List<String> expired = List.of();
    /** The recent share of commits that another writer overtook, 0 to 1; newer commits have more weight. */
    private double overtaken;

    boolean isTaken;

    Lane(String counter, int shard) {
        this.counter = counter;
        this.shard = shard;
    }

    /** Returns a name. It starts with a letter, so it needs no quotes in the path of a field. */
    private static String newId() {
        return "w" + Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
    }

    String id() {
        return id;
    }

    @Nullable Timestamp version() {
        return version;
    }

    /** Returns the names of the lanes whose stamps the next commit removes. */
    List<String> expired() {
        return expired;
    }

    /** Returns whether a stamp is worth trying. */
    boolean isWorthTrying() {
        return overtaken <= TOO_OFTEN;
    }

    /** Records that a stamp was not tried, which makes the next attempt more likely. */
    void skipped() {
        overtaken *= DECAY;
    }

    /** Records the shard as it was read. */
    void read(DocumentSnapshot document) {
        if (!document.exists()) {
            forget();
            overtaken();
            return;
        }
        Stamps stamps = Stamps.of(document);
        while (stamps.idIn(id) != null && !Objects.equals(stamps.idIn(id), settled)) {
            retire(); // the stamp may be of a copy of this process
        }
        if (stamps.idIn(id) == null) {
            retire(); // the shard is new, so a missing stamp would prove nothing later
        }
        expired = stamps.expired(Objects.requireNonNull(document.getReadTime()));
        if (stamps.size() - expired.size() >= MOST_STAMPS) {
            forget();
            overtaken = 1;
            return;
        }
        version = document.getUpdateTime();
    }

    /** Records that a commit was applied. All its callers have been or will be answered if {@code isSettled}. */
    void applied(String commit, Timestamp now, boolean isSettled) {
        overtaken *= 1 - WEIGHT;
        expired = List.of();
        version = now;
        settled = commit;
        settledAt = now;
        if (!isSettled) {
            retire();
            forget(); // the next commit reads the shard, and removes stamps that have expired
        }
    }

    /** Returns whether other software has removed the stamp of this lane, and perhaps others, from the shard. */
    boolean isWiped(FirestoreSchema schema, DocumentSnapshot document) {
        return settled != null
                && settledAt != null
                && Stamps.of(document).idIn(id) == null
                && StoreClock.toInstant(settledAt)
                        .plus(schema.options().retention())
                        .isAfter(StoreClock.toInstant(Objects.requireNonNull(document.getReadTime())));
    }

    /** Records that another writer changed the shard before a commit of this lane. */
    void overtaken() {
        overtaken = overtaken * (1 - WEIGHT) + WEIGHT;
    }

    /** Forgets the update time. */
    void forget() {
        version = null;
        expired = List.of();
    }

    /** Keeps the stamp in the shard, since its token may still be resolved, and uses a new name for the next stamp. */
    void retire() {
        id = newId();
        settled = null;
    }
}
