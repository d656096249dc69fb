package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.SharedListeners;
import io.counterkit.firestore.internal.client.SnapshotListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * All followers of one sequence in this process. They share a listener on the next numbers: no document of a sequence
 * changes with each append, but the documents that the next appends create are known. If a tail beyond them is read,
 * the listener is replaced by one on later numbers. Thread-safe.
 */
final class SequenceWatch implements SharedListeners.Shared<Runnable> {
    /** The most values of an {@code in} filter. */
    private static final int NUMBERS = 30;

    private final String sequence;
    private final FirestoreSchema schema;
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private volatile @Nullable SnapshotListener<QuerySnapshot> listener;
    private volatile boolean isSealed;

    /** The last number that is listened to. */
    private long end;

    SequenceWatch(String sequence, FirestoreSchema schema) {
        this.sequence = sequence;
        this.schema = schema;
    }

    @Override
    public synchronized void join(Runnable follower) {
        followers.add(follower);
    }

    @Override
    public synchronized boolean leave(Runnable follower) {
        return followers.remove(follower) && followers.isEmpty();
    }

    @Override
    public synchronized void end() {
        followers.clear();
        stop();
    }

    /** Returns whether the next entry is reported. */
    boolean isLive() {
        SnapshotListener<QuerySnapshot> current = listener;
        return isSealed || (current != null && current.newest() != null);
    }

    /** Listens to the numbers after a tail that was read, unless the current listener includes the next one. */
    void seen(Tail tail) {
        if (tryMove(tail)) {
            report(); // the previous listener may not have reported it
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

    private void stop() {
        SnapshotListener<QuerySnapshot> last = listener;
        if (last != null) {
            last.stop();
            listener = null;
        }
    }
}
