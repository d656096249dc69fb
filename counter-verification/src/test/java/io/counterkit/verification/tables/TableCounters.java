package io.counterkit.verification.tables;

import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.verification.tables.Table.Undo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The table of counters. */
final class TableCounters implements CounterStore {
    private static final int FIRST_NAMES = 100;
    private static final int MOST_NAMES = 5_000;

    private final TableProcess process;
    private final Tables tables;
    private final TableTokens tokens;

    TableCounters(TableProcess process, TableTokens tokens) {
        this.process = process;
        this.tables = process.tables;
        this.tokens = tokens;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(100);
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        CompletableFuture<List<Result<Void>>> added = process.change(
                requests.size() == 1 ? "adding" : "adding a batch",
                commit,
                undo -> addAllOrNothing(undo, requests, commit));
        if (tables.has(Mistake.RESENT_A_SECOND_LATER)) {
            return added.whenComplete((results, failure) -> {
                if (failure != null) {
                    resend(requests);
                }
            });
        }
        return added;
    }

    private void resend(List<AddRequest> requests) {
        Commit later = new Commit(Duration.ofSeconds(20), RandomGenerator.getDefault(), CountersListener.disabled());
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)
                .execute(() -> tables.transact(undo -> addAll(undo, requests, later)));
    }

    /** A token that another transaction has inserted meanwhile ends this one: its commit stores nothing. */
    private List<Result<Void>> addAllOrNothing(Undo undo, List<AddRequest> requests, Commit commit) {
        Map<AddRequest, Boolean> isKnown = new HashMap<>();
        requests.forEach(request -> isKnown.put(request, isKnown(request)));
        tables.gap(Mistake.TOKEN_CONFLICT_LOSES_BATCH);
        boolean isEnded =
                requests.stream().anyMatch(request -> !Boolean.TRUE.equals(isKnown.get(request)) && isKnown(request));
        List<Result<Void>> results = addAll(undo, requests, commit);
        if (isEnded) {
            undo.rollback();
        }
        return results;
    }

    private boolean isKnown(AddRequest request) {
        return request.token() != null && tokens.find(request.token()) != null;
    }

    private List<Result<Void>> addAll(Undo undo, List<AddRequest> requests, Commit commit) {
        boolean isShared = requests.stream().anyMatch(request -> request.token() == null);
        Resolution shared = isShared ? tokens.find(commit.token()) : null;
        boolean isSealed = isShared
                && requests.stream().anyMatch(request -> request.token() == null && seal(request.name()) != null);
        if (tables.has(Mistake.BATCH_REPEATED_AS_APPLIED) && shared != null && shared.applied()) {
            return requests.stream().map(request -> Result.applied()).toList();
        }
        if (isShared && shared == null && !isSealed) {
            tokens.insert(
                    undo, commit.token(), new Resolution.Done(requests.get(0).name()));
        }
        List<Result<Void>> results = new ArrayList<>();
        for (AddRequest request : requests) {
            IdempotencyToken token = request.token();
            Seal seal = seal(request.name());
            tables.gap(Mistake.ADD_CHECKS_SEAL_FIRST);
            if (token != null) {
                results.add(addOnce(undo, request, token));
            } else if (shared != null) {
                results.add(shared.applied() ? Result.applied() : Result.retry());
            } else if (seal != null) {
                results.add(Result.failed(new SealedException(request.name(), seal)));
            } else if (isSealed) {
                results.add(Result.retry());
            } else {
                add(undo, request);
                results.add(Result.applied());
            }
        }
        if (tables.mistake.leaks("adding") && results.stream().anyMatch(result -> result.failure() != null)) {
            throw results.stream()
                    .map(Result::failure)
                    .filter(f -> f != null)
                    .findFirst()
                    .orElseThrow();
        }
        return results;
    }

    private Result<Void> addOnce(Undo undo, AddRequest request, IdempotencyToken token) {
        Resolution meant = new Resolution.Added(request.name(), request.delta());
        Resolution known = tokens.find(token);
        if (known == null && tables.has(Mistake.TOKEN_OF_ANOTHER_NAME_CHECKED_FIRST)) {
            known = tokens.findAgain(token, meant);
        }
        Seal seal = seal(request.name());
        if (known == null && seal != null) {
            return Result.failed(new SealedException(request.name(), seal));
        }
        if (known == null) {
            tokens.insert(undo, token, meant);
            add(undo, request);
        } else if (!known.equals(tokens.stored(meant))) {
            return Result.failed(new TokenRefusedException("token " + token + " stands for " + known));
        }
        return Result.applied();
    }

    private void add(Undo undo, AddRequest request) {
        Long total = total(request.name());
        tables.gap(Mistake.ADD_READS_THEN_WRITES);
        long sum = Limits.saturatedSum(total == null ? 0 : total, request.delta());
        boolean isGone = tables.has(Mistake.ZERO_IS_DELETED) && total != null && sum == 0;
        tables.totals.put(undo, tables.totalKey(request.name()), isGone ? null : (Long) sum);
        if (tables.has(Mistake.SHARDS_SHARE_NAMES)) {
            Long other = tables.totals.get(request.name() + "1");
            if (other != null) {
                tables.totals.put(undo, request.name() + "1", null);
                tables.totals.put(undo, tables.totalKey(request.name()), sum + other);
            }
        }
    }

    private @Nullable Long total(String name) {
        return tables.totals.get(tables.totalKey(name));
    }

    private @Nullable Seal seal(String name) {
        Tables.SealRow row = tables.seals.get(tables.sealKey(Kind.COUNTER, name));
        return row == null ? null : row.seal();
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        CompletableFuture<List<Result<Reading>>> reading = process.read(
                "reading", call, undo -> names.stream().map(this::read).toList());
        return tables.has(Mistake.STALE_READ_IS_ZERO) && !maxStaleness.isZero()
                ? reading.exceptionally(
                        failure -> names.stream().map(name -> reading(0)).toList())
                : reading;
    }

    private Result<Reading> read(String name) {
        Long total = total(name);
        if (total != null && (total > Limits.MAX_TOTAL || total < -Limits.MAX_TOTAL)) {
            return Result.failed(new CounterOverflowException("the total of '" + name + "' is out of range"));
        }
        return reading(total == null ? 0 : total);
    }

    private Result<Reading> reading(long total) {
        Instant now = Instant.now();
        return Result.of(new Reading(
                total,
                tables.has(Mistake.READINGS_IN_LOCAL_TIME) ? now.plus(Duration.ofHours(2)) : now,
                Duration.ZERO));
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return process.change(
                "resetting",
                commit,
                undo -> clear(undo, name, commit, Mistake.RESET_CHECKS_SEAL_FIRST, () -> {
                    if (total(name) != null) {
                        ImportedState base = tables.imports.get(tables.importKey(Kind.COUNTER, name));
                        long left = tables.has(Mistake.RESET_KEEPS_IMPORT) && base != null ? base.value() : 0;
                        tables.totals.put(undo, tables.totalKey(name), left);
                    }
                }));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return process.change(
                "deleting",
                commit,
                undo -> clear(
                        undo,
                        name,
                        commit,
                        Mistake.DELETE_CHECKS_SEAL_FIRST,
                        () -> tables.totals.put(undo, tables.totalKey(name), null)));
    }

    private @Nullable Void clear(Undo undo, String name, Commit commit, Mistake separate, Runnable clear) {
        tokens.once(undo, commit, name, () -> {
            Seal seal = seal(name);
            tables.gap(separate);
            if (seal != null) {
                throw new SealedException(name, seal);
            }
            clear.run();
        });
        return null;
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return process.change("sealing", commit, undo -> {
            tokens.once(undo, commit, name, () -> {
                Seal seal = seal(name);
                tables.gap(Mistake.SEAL_OVERWRITES);
                if (seal != null && !seal.forward().equals(TableMigration.forward(tables, forward))) {
                    throw new SealedException(name, seal);
                }
                if (seal == null) {
                    Long row = total(name);
                    tables.gap(Mistake.SEAL_READS_FIRST);
                    ImportedState base = tables.imports.get(tables.importKey(Kind.COUNTER, name));
                    long total = (row == null ? 0 : row)
                            - (tables.has(Mistake.SEAL_WITHOUT_IMPORT) && base != null ? base.value() : 0);
                    Instant at = tables.has(Mistake.SEALED_AT_IN_SECONDS)
                            ? Instant.ofEpochMilli(Instant.now().getEpochSecond())
                            : Instant.now();
                    tables.seals.put(
                            undo,
                            tables.sealKey(Kind.COUNTER, name),
                            new Tables.SealRow(new Seal(TableMigration.forward(tables, forward), total, total), at));
                }
            });
            Seal sealed = seal(name);
            if (sealed == null) {
                throw new IllegalStateException("no seal");
            }
            return sealed;
        });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return process.read(
                "listing",
                call,
                undo -> TableNames.page(
                        tables,
                        tables.totals.rows.keySet().stream()
                                .limit(tables.has(Mistake.LISTS_5000_NAMES) ? MOST_NAMES : Long.MAX_VALUE),
                        prefix,
                        cursor,
                        limit));
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return process.read(
                "ranking",
                call,
                undo -> tables.totals.rows.entrySet().stream()
                        .filter(row -> TableNames.matchesTop(tables, row.getKey(), prefix))
                        .filter(row -> !tables.has(Mistake.TOP_WITHOUT_SEALED) || seal(row.getKey()) == null)
                        .limit(tables.has(Mistake.TOP_OF_FIRST_100) ? FIRST_NAMES : Long.MAX_VALUE)
                        .sorted(Comparator.comparingLong((Map.Entry<String, Long> row) -> -ranked(row))
                                .thenComparing(Map.Entry::getKey))
                        .limit(tables.has(Mistake.TOP_100_AT_MOST) ? Math.min(limit, 100) : limit)
                        .map(row -> new NamedReading(
                                row.getKey(), read(row.getKey()).orThrow()))
                        .toList());
    }

    private long ranked(Map.Entry<String, Long> row) {
        ImportedState base = tables.imports.get(tables.importKey(Kind.COUNTER, row.getKey()));
        return row.getValue() - (tables.has(Mistake.TOP_WITHOUT_IMPORT) && base != null ? base.value() : 0);
    }
}
