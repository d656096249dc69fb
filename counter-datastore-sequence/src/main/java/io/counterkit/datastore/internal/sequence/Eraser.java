package io.counterkit.datastore.internal.sequence;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;

/** Blanks the fields of one entry, once. */
final class Eraser implements RetryLoop.Attempt<Boolean> {
    private final DatastoreContext parts;
    private final ChainName chain;
    private final long number;
    private final Commit commit;
    private final CommitTokens covers;
    private final Commits commits;

    Eraser(DatastoreContext parts, String sequence, long number, Commit commit) {
        this.parts = parts;
        this.chain = ChainName.sequence(sequence);
        this.number = number;
        this.commit = commit;
        this.covers = parts.covers(commit);
        this.commits = new Commits(parts.store(), commit);
    }

    @Override
    public Boolean run() {
        Key key = parts.schema().entryKey(chain, number);
        Key tokenKey = covers.keyOf(null);
        Transaction transaction = null;
        try {
            transaction = commits.begin();
            Map<Key, Entity> read = parts.store().get(transaction, List.of(key, tokenKey), commit);
            Entity entry = read.get(key);
            if (entry == null || !parts.schema().link(chain, entry).isEntry()) {
                return false;
            }
            if (!DatastoreSchema.erase(entry)) {
                return true;
            }
            if (read.containsKey(tokenKey)) {
                throw new NotAppliedException("erasing entry " + number + " of " + chain + ": token " + covers.of(null)
                        + " was resolved as not applied");
            }
            Entity token = covers.note(null, new TokenNote.Commit(chain.name(), List.of()));
            parts.store().put(transaction, List.of(entry, token), commit);
            commits.send(transaction);
            return true;
        } finally {
            parts.store().end(transaction, commit);
        }
    }

    @Override
    public boolean mayLand() {
        return commits.mayLand();
    }
}
