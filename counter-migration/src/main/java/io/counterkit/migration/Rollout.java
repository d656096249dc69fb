package io.counterkit.migration;

import io.counterkit.spi.ChangeTarget;
import java.nio.charset.StandardCharsets;

/**
 * Which part of the names has its turn to move, in percent; may be changed while the application runs. A name moves on
 * the first change after its turn has come. Its turn depends on nothing but its kind, its name and the percentage, so
 * that all processes with one percentage agree, and a higher one lets the names of a lower one have their turn too.
 *
 * <p>Lowering the percentage stops further moves. It moves nothing back: a name that was sealed stays moved. Thread-safe.
 */
public final class Rollout {
    private volatile int percent;

    private Rollout(int percent) {
        this.percent = checked(percent);
    }

    /**
     * A rollout that begins with {@code percent}.
     *
     * @param percent from 0, where no name moves but those that are asked for, to 100
     */
    public static Rollout at(int percent) {
        return new Rollout(percent);
    }

    /** The part of the names that has its turn. */
    public int percent() {
        return percent;
    }

    /**
     * From now on lets this part of the names have its turn.
     *
     * @param percent from 0 to 100
     */
    public void set(int percent) {
        this.percent = checked(percent);
    }

    /** Whether the turn of this name has come. */
    public boolean hasTurn(ChangeTarget.Kind kind, String name) {
        return bucket(kind, name) < percent;
    }

    private static int checked(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent " + percent + ": use 0 to 100");
        }
        return percent;
    }

    /** FNV-1a with a finalizer that spreads names which differ in their last character only. Must never change. */
    private static int bucket(ChangeTarget.Kind kind, String name) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : (kind.name() + "/" + name).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) Long.remainderUnsigned(hash ^ (hash >>> 33), 100);
    }
}
