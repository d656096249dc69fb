package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The add of one commit to one counter: its delta and its shard. */
public final class CounterAdd {
    private final String name;
    private final CounterLoad load;
    private long delta;
    private @Nullable CounterDocument counter;
    private @Nullable CounterException refusal;
    private int shardNumber;
    private long waitNanos;
    private @Nullable DocumentReference shard;

    CounterAdd(String name, CounterLoad load) {
        this.name = name;
        this.load = load;
    }

    public String name() {
        return name;
    }

    public long delta() {
        return delta;
    }

    void addDelta(long more) {
        delta = Math.addExact(delta, more);
    }

    CounterLoad load() {
        return load;
    }

    /** Returns whether the counter's document is known. */
    public boolean hasCounter() {
        return counter != null;
    }

    /** Returns the counter's document, which must be known. */
    public CounterDocument counter() {
        return Objects.requireNonNull(counter);
    }

    /** Sets the counter's document, and refuses the add if the counter cannot be changed. */
    public void setCounter(CounterDocument counter) {
        this.counter = counter;
        CounterException found = counter.refusal(name);
        refusal = found == null ? refusal : found;
    }

    /** Sets the counter's document, or makes it unknown. */
    void recall(@Nullable CounterDocument remembered) {
        counter = null;
        if (remembered != null) {
            setCounter(remembered);
        }
    }

    /** Returns the failure with which the counter refuses the add; null if it does not. */
    @Nullable CounterException refusal() {
        return refusal;
    }

    /** Reserves the next write to a shard, and returns how long to wait for it. Refuses the add if that is too long. */
    long reserve(FirestoreSchema schema, long mostNanos) {
        choose(schema, load.reserve(counter().shards()));
        if (waitNanos > mostNanos) {
            refusal = new ContentionException("adding to '" + name
                    + "': all shards have reached their rate of writes for longer than the deadline; give"
                    + " the counter more shards, or allow more writes to each; nothing was applied");
        }
        return waitNanos;
    }

    /** Reserves the next write to one shard and returns true, or returns false if the shard has reached its rate. */
    public boolean tryReserve(FirestoreSchema schema, int shards, int number) {
        boolean isReserved = load.tryReserve(shards, number);
        if (isReserved) {
            choose(schema, new CounterLoad.Reservation(number, 0));
        }
        return isReserved;
    }

    /** Reserves the next write to any shard and returns true, or returns false if each has reached its rate. */
    public boolean tryReserveAny(FirestoreSchema schema) {
        choose(schema, load.reserve(counter().shards()));
        if (waitNanos > 0) {
            cancel();
        }
        return waitNanos == 0;
    }

    private void choose(FirestoreSchema schema, CounterLoad.Reservation reservation) {
        shardNumber = reservation.shard();
        waitNanos = reservation.waitNanos();
        shard = schema.shard(name, shardNumber);
    }

    /** Cancels the reservation. */
    public void cancel() {
        load.cancel(shardNumber);
    }

    public int shardNumber() {
        return shardNumber;
    }

    /** Returns the shard, which must be chosen. All attempts of the commit write to it. */
    public DocumentReference shard() {
        return Objects.requireNonNull(shard);
    }

    /** Records that the commit is sent. */
    void sent() {
        load.sent(waitNanos);
    }
}
