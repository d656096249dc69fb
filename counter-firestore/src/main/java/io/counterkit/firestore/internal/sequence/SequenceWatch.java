package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.SnapshotListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * All followers of one sequence in this process. They share one listener on the next numbers: no document of a sequence
 * changes with each append, but the documents that the next appends create are known. When a tail is read beyond them, the
 * listener is replaced by one on later numbers. Thread-safe.
 */
final class SequenceWatch {
    /** The most values of an {@code in}. */
    private static final int NUMBERS = 30;

    private final String sequence;
    private final FirestoreSchema schema;
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private volatile @Nullable SnapshotListener<QuerySnapshot> listener;
    private volatile boolean isSealed;

    /** The last number that is listened to. */
    private long end;

    /** How often a follower came or left. */
    private long events;

    SequenceWatch(String sequence, FirestoreSchema schema) {
        this.sequence = sequence;
        this.schema = schema;
    }

    synchronized void join(Runnable follower) {
        followers.add(follower);
        events++;
    }

    /** Removes a follower, and returns the number of this event. */
    synchronized long leave(Runnable follower) {
        followers.remove(follower);
        return ++events;
    }

    /** Returns whether there is no follower, and has been none since an event. */
    synchronized boolean isUnusedSince(long event) {
        return followers.isEmpty() && events == event;
    }

    /** Returns whether the next entry is reported. */
    boolean isLive() {
        SnapshotListener<QuerySnapshot> current = listener;
        return isSealed || (current != null && current.newest() != null);
    }

    /** Listens to the numbers after a tail that was read, unless the present listener includes the next one. */
    void seen(Tail tail) {
        if (tryMove(tail)) {
            report(); // what the previous listener had no time to report
        }
    }

    /** Returns whether a listener was replaced. */
    private synchronized boolean tryMove(Tail tail) {
        SnapshotListener<QuerySnapshot> previous = listener;
        if (followers.isEmpty() || isSealed) {
            return false;
        }
        if (previous != null && tail.last() < end && tail.seal() == null) {
            previous.start(); // if there was no permit before
            return false;
        }
        stop();
        isSealed = tail.seal() != null;
        if (!isSealed) {
            end = tail.last() + NUMBERS;
            SnapshotListener<QuerySnapshot> next = new SnapshotListener<>(
                    schema,
                    schema.entries(sequence).getPath(),
                    after(tail.last())::addSnapshotListener,
                    this::received,
                    this::report);
            listener = next;
            next.start();
        }
        return previous != null;
    }

    private Query after(long last) {
        List<DocumentReference> numbers = LongStream.rangeClosed(last + 1, last + NUMBERS)
                .mapToObj(number -> schema.entry(sequence, number))
                .toList();
        return schema.entries(sequence).whereIn(FieldPath.documentId(), numbers);
    }

    private void received(QuerySnapshot entries) {
        if (!entries.isEmpty()) {
            report();
        }
    }

    private void report() {
        followers.forEach(Runnable::run);
    }

    synchronized void stop() {
        SnapshotListener<QuerySnapshot> last = listener;
        if (last != null) {
            last.stop();
            listener = null;
        }
    }
}
