package io.counterkit.examples.likes.wall;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.RecentlyUsed;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A switch that breaks the store: while it is on, every other reply to a change is dropped. Counts the likes that were
 * confirmed, which the totals must equal. Thread-safe.
 */
public final class Breakage {
    private static final int REMEMBERED = 100_000;

    /** The likes that were confirmed, since a click may be sent and confirmed more than once. */
    private final RecentlyUsed<IdempotencyToken, Boolean> confirmedLikes = new RecentlyUsed<>(REMEMBERED);

    private boolean isOn;
    private boolean isNextDropped;
    private boolean isBegun;
    private long droppedReplies;
    private long droppedLikes;
    private long confirmed;
    private @Nullable Long before;

    /**
     * The counts since this program started.
     *
     * @param isOn whether replies are being dropped
     * @param droppedReplies how many replies were dropped
     * @param confirmed how many likes were confirmed
     * @param counted by how much the totals rose; null if they could not be read before the first like
     * @param retried by how much the totals would have risen if each change without a reply were sent again without a
     *     token
     */
    public record Figures(
            boolean isOn,
            long droppedReplies,
            long confirmed,
            @Nullable Long counted,
            @Nullable Long retried) {}

    /** Turns the switch on or off. */
    public synchronized void turn(boolean isOn) {
        this.isOn = isOn;
        isNextDropped = isOn;
    }

    /** Returns whether to drop the reply to the next change, every other time. */
    public synchronized boolean takeTurn() {
        boolean isDropped = isOn && isNextDropped;
        isNextDropped = isOn && !isNextDropped;
        return isDropped;
    }

    /** Notes that the reply to a change was dropped; {@code likes} is how many likes the change carried. */
    public synchronized void dropped(int likes) {
        droppedReplies++;
        droppedLikes += likes;
    }

    /** Notes that a like is sent, which may change a total. */
    synchronized void begin() {
        isBegun = true;
    }

    /** Notes that the like with this token was confirmed, now or before. */
    synchronized void confirm(IdempotencyToken token) {
        Boolean unused = confirmedLikes.computeIfAbsent(token, first -> {
            confirmed++;
            return true;
        });
    }

    /** Notes these totals if they are those before the first like. */
    synchronized void note(Map<String, Total> totals, int posts) {
        if (before == null && !isBegun && totals.size() == posts) {
            before = sum(totals);
        }
    }

    synchronized Figures figures(Map<String, Total> totals) {
        Long counted = before == null ? null : sum(totals) - before;
        return new Figures(isOn, droppedReplies, confirmed, counted, counted == null ? null : counted + droppedLikes);
    }

    private static long sum(Map<String, Total> totals) {
        return totals.values().stream()
                .mapToLong(total -> total.reading().value())
                .sum();
    }
}
