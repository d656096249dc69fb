package io.counterkit.datastore.internal.operation;

import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Seals a chain: puts the seal under the number after the newest entry, where each writer of that number finds it. */
record ChainSealing(DatastoreContext context) {
    CompletableFuture<Seal> seal(ChainName chain, String forward, Commit commit) {
        return context.run(() -> {
            CommitTokens tokens = CommitTokens.own(context, commit);
            return context.write(
                    ChainChange.rare(chain, tokens, (tail, found) -> planSeal(chain, forward, tokens, tail, found)),
                    commit);
        });
    }

    private WritePlan<Seal> planSeal(
            ChainName chain, String forward, CommitTokens tokens, ChainTail tail, Map<StoreKey, StoreEntity> found) {
        Seal existing = tail.seal();
        if (existing != null) {
            if (!existing.forward().equals(forward)) {
                throw new SealedException(chain.name(), existing);
            }
            return WritePlan.nothing(existing);
        }
        if (tokens.note(null, found) != null) {
            throw tokens.voided("seal of " + chain);
        }
        Seal seal = new Seal(forward, chain.isCounter() ? tail.value() : tail.number(), tail.value());
        List<StoreEntity> puts = new ArrayList<>();
        puts.add(ChainEntry.ofSeal(context.keys(), chain, seal, tail.number() + 1, tokens.now(), tokens.token(null)));
        puts.add(tokens.entity(null, TokenNote.Commit.of(chain.name())));
        if (tail.number() == 0 && !chain.isCounter()) { // a counter is listed only while it is present
            puts.add(new StoreEntity(context.keys().name(chain)));
        }
        return WritePlan.puts(puts, seal);
    }
}
