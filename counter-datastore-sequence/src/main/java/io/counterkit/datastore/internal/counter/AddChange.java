package io.counterkit.datastore.internal.counter;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Adds to one counter. Each add is an entry of its chain that carries the total with it. */
final class AddChange implements ChainChange<List<Result<Void>>> {
    private final DatastoreContext context;
    private final ChainName counter;
    private final List<AddRequest> requests;
    private final CommitTokens tokens;

    AddChange(DatastoreContext context, ChainName counter, List<AddRequest> requests, Commit commit) {
        this.context = context;
        this.counter = counter;
        this.requests = requests;
        this.tokens = new CommitTokens(
                context, requests.stream().map(AddRequest::token).toList(), commit);
    }

    @Override
    public int maxEntries() {
        return requests.size();
    }

    @Override
    public List<Key> tokens() {
        return tokens.keys();
    }

    @Override
    public WritePlan<List<Result<Void>>> plan(ChainTail tail, Map<Key, Entity> found) {
        ChainTail end = tail;
        List<Result<Void>> results = new ArrayList<>();
        List<Entity> run = new ArrayList<>();
        List<Entity> puts = new ArrayList<>();
        for (AddRequest request : requests) {
            TokenNote note = tokens.note(request.token(), found);
            if (note != null) {
                results.add(repeated(request, note));
            } else if (tail.seal() != null) {
                results.add(Result.failed(new SealedException(counter.name(), tail.seal())));
            } else {
                end = end.plus(request.delta());
                run.add(ChainEntry.ofCounter(
                        context.keys(),
                        counter,
                        ChainEntry.CounterChange.ADD,
                        request.delta(),
                        end,
                        tokens.now(),
                        tokens.token(request.token())));
                puts.add(tokens.entity(request.token(), noteOf(request)));
                results.add(Result.applied());
            }
        }
        if (!run.isEmpty() && tail.isAbsent()) {
            puts.add(new Entity(context.keys().name(counter)));
        }
        return new WritePlan<>(run, puts, List.of(), () -> results);
    }

    private TokenNote noteOf(AddRequest request) {
        return request.token() == null
                ? TokenNote.Commit.of(counter.name())
                : new TokenNote.Add(counter.name(), request.delta());
    }

    /** Returns the result of a request whose token is stored: for the same add, for another change, or voided. */
    private Result<Void> repeated(AddRequest request, TokenNote note) {
        IdempotencyToken token = request.token();
        if (note.equals(noteOf(request))) {
            return Result.applied();
        }
        return token == null
                ? Result.retry()
                : Result.failed(new TokenRefusedException("add " + request.delta() + " to '" + counter.name()
                        + "': token " + token + " stands for " + note.resolution(null)));
    }
}
