package io.counterkit.verification.tables;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.verification.tables.Table.Undo;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A backend over tables, with one mistake or none. */
final class TableBackend implements CounterBackend {
    private final TableProcess process;
    private final Tables tables;
    private final TableTokens tokens;

    TableBackend(Tables tables) {
        this.tables = tables;
        this.process = new TableProcess(tables);
        this.tokens = new TableTokens(tables);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public CounterStore counters() {
        return new TableCounters(process, tokens);
    }

    @Override
    public SequenceStore sequences() {
        return new TableSequences(process, tokens);
    }

    @Override
    public MigrationStore migration() {
        return new TableMigration(process);
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        IdempotencyToken stored =
                target != null && target.isAppend() ? TableTokens.ofRequest(token, target.request()) : token;
        if (tables.has(Mistake.VOID_LOST)) {
            return resolveInTwoTransactions(stored, call);
        }
        CompletableFuture<Resolution> resolved =
                process.read("resolving " + token, call, undo -> resolve(undo, stored));
        return target != null && tables.has(Mistake.COMMIT_UNRESOLVED_IN_OUTAGE)
                ? resolved.exceptionally(failure -> new Resolution.NotApplied())
                : resolved;
    }

    private Resolution resolve(Undo undo, IdempotencyToken token) {
        Resolution known = tokens.find(token);
        tables.gap(Mistake.RESOLVE_OVERWRITES);
        if (known == null) {
            known = new Resolution.NotApplied();
            tokens.insert(undo, token, known);
        }
        return known;
    }

    /** Reads the token, and then writes the decision, whose failure is ignored. */
    private CompletableFuture<Resolution> resolveInTwoTransactions(IdempotencyToken token, Call call) {
        return process.<Resolution>read("reading a token", call, undo -> {
                    Resolution known = tokens.find(token);
                    return known == null ? new Resolution.NotApplied() : known;
                })
                .thenCompose(found -> found.applied()
                        ? CompletableFuture.completedFuture(found)
                        : process.change("voiding a token", TableTokens.commit(call), undo -> resolve(undo, token))
                                .exceptionally(failure -> found));
    }

    @Override
    public void close() {
        process.close();
    }
}
