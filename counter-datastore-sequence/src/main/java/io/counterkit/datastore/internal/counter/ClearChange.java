package io.counterkit.datastore.internal.counter;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainEntry.CounterChange;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;

/** Resets or deletes a counter if it is present: appends an entry after which the total is 0. */
final class ClearChange implements ChainChange<Boolean> {
    private final DatastoreContext context;
    private final ChainName counter;
    private final CounterChange change;
    private final CommitTokens tokens;

    ClearChange(DatastoreContext context, ChainName counter, CounterChange change, Commit commit) {
        this.context = context;
        this.counter = counter;
        this.change = change;
        this.tokens = CommitTokens.own(context, commit);
    }

    @Override
    public boolean isRare() {
        return true;
    }

    @Override
    public List<Key> tokens() {
        return tokens.keys();
    }

    @Override
    public WritePlan<Boolean> plan(ChainTail tail, Map<Key, Entity> found) {
        TokenNote note = tokens.note(null, found);
        if (note instanceof TokenNote.Voided) {
            throw new NotAppliedException((change == CounterChange.RESET ? "reset" : "deletion") + " of '"
                    + counter.name() + "': token " + tokens.token(null) + " was resolved as not applied");
        }
        if (note != null) {
            return WritePlan.nothing(true);
        }
        if (tail.seal() != null) {
            throw new SealedException(counter.name(), tail.seal());
        }
        if (tail.isAbsent()) {
            return WritePlan.nothing(false);
        }
        Entity entry = ChainEntry.ofCounter(
                context.keys(),
                counter,
                change,
                tail.isOverflown() ? 0 : -tail.value(),
                tail.withValue(0),
                tokens.now(),
                tokens.token(null));
        return new WritePlan<>(
                List.of(entry),
                List.of(tokens.entity(null, TokenNote.Commit.of(counter.name()))),
                change == CounterChange.DELETE ? List.of(context.keys().name(counter)) : List.of(),
                () -> true);
    }
}
