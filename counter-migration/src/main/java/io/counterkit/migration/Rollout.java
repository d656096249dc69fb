package io.counterkit.migration;

import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Limits;
import java.nio.charset.StandardCharsets;

/**
 * The percentage of the names to move. It may be changed while the application runs. A name moves on the first change
 * after the rollout includes it. Whether a rollout includes a name depends only on the kind, the name and the
 * percentage: processes with the same percentage agree, and a higher percentage includes all names of a lower one.
 *
 * <p>Lowering the percentage stops further moves. A sealed name does not move back. Thread-safe.
 */
public final class Rollout {
    private volatile int percent;

    private Rollout(int percent) {
        this.percent = Limits.checkBetween("percent", percent, 0, 100);
    }

    /**
     * Creates a rollout with this percentage.
     *
     * @param percent 0 to 100; at 0 only {@link MigratingBackend#move} moves names
     */
    public static Rollout at(int percent) {
        return new Rollout(percent);
    }

    /** Returns the percentage. */
    public int percent() {
        return percent;
    }

    /**
     * Sets the percentage, which takes effect immediately.
     *
     * @param percent 0 to 100
     */
    public void set(int percent) {
        this.percent = Limits.checkBetween("percent", percent, 0, 100);
    }

    /** Returns whether the rollout includes this name. */
    public boolean includes(ChangeTarget.Kind kind, String name) {
        return percentileOf(kind, name) < percent;
    }

    /** Returns FNV-1a with a finalizer that spreads names which differ only at their end. Must never change. */
    private static int percentileOf(ChangeTarget.Kind kind, String name) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : (kind.name() + "/" + name).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) Long.remainderUnsigned(hash ^ (hash >>> 33), 100);
    }
}
