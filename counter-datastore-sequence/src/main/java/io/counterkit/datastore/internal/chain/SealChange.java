package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Seals a chain: puts the seal under the number after the newest entry, where each writer that wants it meets it. */
final class SealChange implements ChainChange<Seal> {
    private final DatastoreContext context;
    private final ChainName chain;
    private final String forward;
    private final CommitTokens tokens;

    SealChange(DatastoreContext context, ChainName chain, String forward, Commit commit) {
        this.context = context;
        this.chain = chain;
        this.forward = forward;
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
    public WritePlan<Seal> plan(ChainTail tail, Map<Key, Entity> found) {
        Seal existing = tail.seal();
        if (existing != null) {
            if (!existing.forward().equals(forward)) {
                throw new SealedException(chain.name(), existing);
            }
            return WritePlan.nothing(existing);
        }
        if (tokens.note(null, found) != null) {
            throw new NotAppliedException(
                    "seal of " + chain + ": token " + tokens.token(null) + " was resolved as not applied");
        }
        Seal seal = new Seal(forward, chain.isCounter() ? tail.value() : tail.number(), tail.value());
        List<Entity> puts = new ArrayList<>();
        puts.add(ChainEntry.ofSeal(context.keys(), chain, seal, tail.number() + 1, tokens.now(), tokens.token(null)));
        puts.add(tokens.entity(null, TokenNote.Commit.of(chain.name())));
        if (tail.number() == 0 && !chain.isCounter()) { // a counter is listed only while it is present
            puts.add(new Entity(context.keys().name(chain)));
        }
        return WritePlan.puts(puts, seal);
    }
}
