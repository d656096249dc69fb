package io.counterkit.datastore.internal.counter;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.Snapshot;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.schema.Total;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Adds to one counter: each is an entry of its chain that carries the total on. */
final class AddChange implements ChainChange<List<Result<Void>>> {
    private final DatastoreSchema schema;
    private final String counter;
    private final List<AddRequest> requests;
    private final CommitTokens covers;

    AddChange(DatastoreSchema schema, List<AddRequest> requests, Commit commit, Instant now, Instant expires) {
        this.schema = schema;
        this.counter = requests.get(0).name();
        this.requests = requests;
        this.covers = new CommitTokens(
                schema, requests.stream().map(AddRequest::token).toList(), commit, now, expires);
    }

    @Override
    public int width() {
        return requests.size();
    }

    @Override
    public List<Key> tokens() {
        return covers.keys();
    }

    @Override
    public Judgement<List<Result<Void>>> judge(Snapshot snapshot) {
        CounterEnd end = CounterEnd.of(snapshot);
        Total total = end.total();
        long number = snapshot.end().number();
        List<Result<Void>> results = new ArrayList<>();
        List<Entity> run = new ArrayList<>();
        List<Entity> puts = new ArrayList<>();
        for (AddRequest request : requests) {
            TokenNote note = snapshot.note(covers.keyOf(request.token()));
            Seal seal = snapshot.end().seal();
            if (note != null) {
                results.add(used(request, note));
            } else if (seal != null) {
                results.add(Result.failed(new SealedException(counter, seal)));
            } else {
                total = total.plus(request.delta());
                run.add(schema.counterEntry(
                        counter,
                        DatastoreSchema.CounterChange.ADD,
                        request.delta(),
                        ++number,
                        total,
                        covers.now(),
                        covers.of(request.token())));
                puts.add(covers.note(request.token(), noteOf(request)));
                results.add(Result.applied());
            }
        }
        if (!run.isEmpty() && end.isAbsent()) {
            puts.add(new Entity(schema.nameKey(ChainName.counter(counter))));
        }
        return new Judgement<>(run, puts, List.of(), () -> results);
    }

    private TokenNote noteOf(AddRequest request) {
        return request.token() == null
                ? new TokenNote.Commit(counter, List.of())
                : new TokenNote.Add(counter, request.delta());
    }

    /** What the token of a request was used for: this same add, or something else; or it was voided. */
    private Result<Void> used(AddRequest request, TokenNote note) {
        IdempotencyToken token = request.token();
        if (note.equals(noteOf(request))) {
            return Result.applied();
        }
        return token == null
                ? Result.retry()
                : Result.failed(new TokenRefusedException("add " + request.delta() + " to '" + counter + "': token "
                        + token + " stands for " + note.resolution(null)));
    }
}
