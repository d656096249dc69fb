package io.counterkit.firestore.internal.stamp;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import io.counterkit.firestore.internal.client.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stamps of a shard as they were read: the field {@code stamps}, a map. It has an entry for each lane that has
 * written the shard. The entry has the id of the commit that the lane applied last, and the store's time of that
 * commit. If its writer does not remember tokens for the default time, it also has that time in seconds.
 *
 * <p>A commit with a stamp updates the shard only if the shard has the update time that the commit states. The update
 * time is a version: no two changes of a document have the same one, even if it is deleted and created again. So at
 * most one copy of the commit is applied, and it stores its stamp. A stamp is replaced only by the next commit of its
 * lane, after all callers of the previous one have been answered. It is removed only after its token has expired by the
 * retention of its writer.
 */
public final class Stamps {
    /** The field of a shard. */
    public static final String FIELD = "stamps";

    /** An entry of the map that only changes the update time. No lane has this name. */
    private static final String TOUCHED = "touched";

    private static final String ID = "id";
    private static final String AT = "at";
    private static final String FOR = "for";

    /** The retention of a stamp that does not state one. Part of the stored format, so it never changes. */
    private static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    private static final Duration LONGEST = Duration.ofDays(3_650);

    /** The minimum time that a stamp is kept after its token has expired. */
    private static final Duration MARGIN = Duration.ofHours(1);

    private final Map<String, Stamp> byLane;

    private Stamps(Map<String, Stamp> byLane) {
        this.byLane = byLane;
    }

    private record Stamp(String id, @Nullable Timestamp at, Duration retention) {
        private boolean isExpired(Timestamp now) {
            Instant oldest = StoreClock.toInstant(now).minus(retention).minus(MARGIN);
            return at != null && StoreClock.toInstant(at).isBefore(oldest);
        }
    }

    /** Reads the stamps of a shard; there are none in a document that does not exist. */
    public static Stamps of(DocumentSnapshot shard) {
        Map<String, Stamp> stamps = new HashMap<>();
        if (shard.exists() && shard.get(FIELD) instanceof Map<?, ?> stored) {
            stored.forEach((lane, entry) -> {
                if (entry instanceof Map<?, ?> stamp && stamp.get(ID) instanceof String id) {
                    Timestamp at = stamp.get(AT) instanceof Timestamp time ? time : null;
                    stamps.put(String.valueOf(lane), new Stamp(id, at, retention(stamp.get(FOR))));
                }
            });
        }
        return new Stamps(stamps);
    }

    private static Duration retention(@Nullable Object seconds) {
        return seconds instanceof Long stated && stated > 0
                ? Duration.ofSeconds(Math.min(stated, LONGEST.toSeconds()))
                : DEFAULT_RETENTION;
    }

    /**
     * Returns the update of a shard that stamps a commit in a lane, by a process that remembers tokens for a retention.
     */
    public static Map<String, Object> stamping(String lane, String id, Duration retention) {
        Map<String, Object> stamp = new HashMap<>(Map.of(ID, id, AT, FieldValue.serverTimestamp()));
        if (!retention.equals(DEFAULT_RETENTION)) {
            stamp.put(FOR, retention.toSeconds());
        }
        return Map.of(path(lane), stamp);
    }

    /** Returns the update of a shard that removes the stamps of lanes. */
    public static Map<String, Object> removing(List<String> lanes) {
        Map<String, Object> removed = new HashMap<>();
        lanes.forEach(lane -> removed.put(path(lane), FieldValue.delete()));
        return removed;
    }

    /** Returns the update of a shard that changes only its update time. */
    public static Map<String, Object> touching() {
        return Map.of(path(TOUCHED), FieldValue.serverTimestamp());
    }

    private static String path(String entry) {
        return FIELD + "." + entry;
    }

    public boolean contains(String id) {
        return byLane.values().stream().anyMatch(stamp -> stamp.id().equals(id));
    }

    /** Returns the id of the commit that a lane applied last; null if the lane has no stamp. */
    @Nullable public String idIn(String lane) {
        Stamp stamp = byLane.get(lane);
        return stamp == null ? null : stamp.id();
    }

    /** Returns the lane whose stamp is the newest; null if there is none. */
    @Nullable public String newestLane() {
        String newest = null;
        Timestamp latest = Timestamp.MIN_VALUE;
        for (Map.Entry<String, Stamp> entry : byLane.entrySet()) {
            Timestamp at = entry.getValue().at();
            if (at != null && at.compareTo(latest) > 0) {
                newest = entry.getKey();
                latest = at;
            }
        }
        return newest;
    }

    /** Returns the number of stamps. */
    public int size() {
        return byLane.size();
    }

    /** Returns the lanes whose stamps may be removed from a shard that was read at {@code now} by the store's clock. */
    public List<String> expired(Timestamp now) {
        return byLane.entrySet().stream()
                .filter(entry -> entry.getValue().isExpired(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the ids of the commits whose tokens may still be resolved. */
    List<String> kept(Timestamp now) {
        return byLane.values().stream()
                .filter(stamp -> !stamp.isExpired(now))
                .map(Stamp::id)
                .toList();
    }
}
