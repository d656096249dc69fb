package io.counterkit.internal.request;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.internal.follow.Followers;
import io.counterkit.spi.AppendRequest;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** {@link Sequence} over a backend. All state is in the store. */
record DefaultSequence(String name, SequenceOperations sequences, Followers followers) implements Sequence {
    @Override
    public Entry append(Map<String, ?> fields) {
        return append(AppendRequest.of(fields, null));
    }

    @Override
    public Entry append(Map<String, ?> fields, IdempotencyToken token) {
        return append(AppendRequest.of(fields, requireNonNull(token, "token")));
    }

    @Override
    public Entry append(Change change, String subject, Map<String, ?> fields) {
        return append(AppendRequest.of(change, subject, fields, null));
    }

    @Override
    public Entry append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token) {
        return append(AppendRequest.of(change, subject, fields, requireNonNull(token, "token")));
    }

    private Entry append(AppendRequest request) {
        return sequences.append(name, request, true).await();
    }

    @Override
    public Tail tail() {
        return sequences.tail(name).await();
    }

    @Override
    public List<Entry> read(long from, long to) {
        return sequences.read(name, from, to).await();
    }

    @Override
    public Follower follow(long from, FollowOptions options, Consumer<? super Entry> consumer) {
        return followers.open(async(), from, options, consumer);
    }

    @Override
    public Follower follow(Counter checkpoint, FollowOptions options, Consumer<? super Entry> consumer) {
        return followers.open(async(), checkpoint, options, consumer);
    }

    @Override
    public void erase(long number) {
        SequenceOperations.checkErased(
                name, number, sequences.erase(name, number).await());
    }

    @Override
    public Seal seal(String forward) {
        return sequences.seal(name, forward).await();
    }

    @Override
    public AsyncSequence async() {
        return new DefaultAsyncSequence(name, sequences);
    }

    @Override
    public String toString() {
        return "Sequence[" + name + "]";
    }
}
