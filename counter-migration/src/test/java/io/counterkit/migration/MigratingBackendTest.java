package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.internal.routing.Mutant;
import io.counterkit.migration.internal.routing.Mutants;
import io.counterkit.migration.internal.routing.StorePair;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of a migration beyond the contract. */
class MigratingBackendTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final AtomicLong nanos = new AtomicLong(17);
    private final InMemoryStore source = store();
    private final InMemoryStore target = store();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Rollout rollout = Rollout.at(100);
    private final Counters old = Counters.over(InMemoryBackend.over(source));
    private final MigratingBackend backend = connect();
    private final Counters counters = Counters.over(backend);
    private final Call call = new Call(Duration.ofSeconds(20), CountersListener.disabled());
    private final String name = "name/" + UUID.randomUUID();

    private InMemoryStore store() {
        return InMemoryStore.create(InMemoryOptions.builder().clock(now::get).build());
    }

    private MigratingBackend connect() {
        Connection recorder = new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call passing, Supplier<CompletableFuture<T>> carriedOut) {
                calls.add(what.replace(name, "n"));
                return carriedOut.get();
            }
        };
        return MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(source), recorder),
                new ConnectedBackend("target", InMemoryBackend.over(target), recorder),
                options());
    }

    private MigrationOptions options() {
        return MigrationOptions.builder("old", "new")
                .rollout(rollout)
                .nanoTime(nanos::get)
                .build();
    }

    @Test
    void oldProcessIsRefusedWithTheTargetAndLosesNothing() {
        IdempotencyToken token = IdempotencyToken.random();
        old.counter(name).add(5, token);
        old.sequence(name).next();
        counters.counter(name).add(2);
        counters.sequence(name).next();
        for (Runnable change : List.<Runnable>of(
                old.counter(name)::increment,
                old.counter(name)::reset,
                old.counter(name)::delete,
                old.sequence(name)::next)) {
            assertThatExceptionOfType(SealedException.class)
                    .isThrownBy(change::run)
                    .withMessageContaining("lives on at 'new'");
        }
        old.counter(name).add(5, token);
        assertThat(old.counter(name).get()).isEqualTo(5);
        assertThat(counters.counter(name).get()).isEqualTo(7);
        assertThat(counters.sequence(name).last()).isEqualTo(2);
    }

    @Test
    void atZeroPercentOnlyExplicitMovesHappen() {
        rollout.set(0);
        counters.counter(name).add(5);
        counters.sequence(name).next();
        assertThat(target.dump().counters()).isEmpty();
        assertThat(old.sequence(name).tail()).isEqualTo(new Tail(1, 1, null));
        assertThat(backend.move(Kind.COUNTER, name, call).join()).isEqualTo(new ImportedState("old", true, 5, 0));
        assertThat(backend.move(Kind.COUNTER, name, call).join()).isEqualTo(new ImportedState("old", true, 5, 0));
        counters.counter(name).add(1);
        assertThat(target.dump().counters()).containsEntry(name, 6L);
        assertThat(old.counter(name).get()).isEqualTo(5);
    }

    @Test
    void loweringThePercentageStopsFurtherMovesAndMovesNothingBack() {
        counters.counter(name).add(5);
        rollout.set(0);
        counters.counter(name).add(1);
        Counters.over(connect()).counter(name).add(1);
        String later = name + "/later";
        counters.counter(later).add(3);
        assertThat(target.dump().counters()).containsOnly(Map.entry(name, 7L));
        assertThat(source.dump().counters()).containsOnly(Map.entry(later, 3L));
        assertThat(counters.counter(name).get()).isEqualTo(7);
    }

    @Test
    void readingMovesAndCreatesNothing() {
        old.counter(name).add(5);
        old.sequence(name).next();
        Counters.over(connect()).counter(name + "/absent").get();
        Counters.over(connect()).sequence(name + "/absent").tail();
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.counter(name).read(Duration.ofMinutes(1)).value()).isEqualTo(5);
        assertThat(counters.sequence(name).read(1, 9)).hasSize(1);
        assertThat(counters.sequence(name).last()).isOne();
        assertThat(calls).noneMatch(what -> what.contains("seal") || what.contains("import"));
        assertThat(counters.counterNames("").names()).containsExactly(name);
        assertThat(counters.sequenceNames("").names()).containsExactly(name);
    }

    @Test
    void sealedNameIsCompletedByAnyProcessBeforeItsTurn() {
        rollout.set(0);
        old.counter(name).add(5);
        old.counter(name).seal("new");
        old.sequence(name).seal("new");
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.sequence(name).next()).isOne();
        assertThat(backend.statuses(Kind.COUNTER, List.of(name), call)
                        .join()
                        .get(0)
                        .isMoved())
                .isTrue();
        assertThat(backend.statuses(Kind.COUNTER, List.of(name + "/other"), call)
                        .join()
                        .get(0)
                        .isMoved())
                .isFalse();
    }

    @Test
    void nameSealedWithAnotherAddressIsNotMoved() {
        IdempotencyToken token = IdempotencyToken.random();
        old.counter(name).add(5, token);
        Seal seal = old.counter(name).seal("somewhere else");
        old.sequence(name).next();
        old.sequence(name).seal("somewhere else");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> join(backend.move(Kind.COUNTER, name, call)))
                .satisfies(refused -> assertThat(refused.seal()).isEqualTo(seal))
                .withMessageContaining("somewhere else");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessageContaining("somewhere else");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(counters.sequence(name)::next)
                .withMessageContaining("somewhere else");
        counters.counter(name).add(5, token);
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.sequence(name).tail().seal()).isNotNull();
        assertThat(counters.counterNames("").names()).containsExactly(name);
        assertThat(target.dump().counters()).isEmpty();
    }

    @Test
    void targetThatHoldsTheNameIsDetectedBeforeTheSeal() {
        old.counter(name).add(5);
        Counters.over(InMemoryBackend.over(target)).counter(name).add(1);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessageContaining("the target holds something");
        old.counter(name).increment();
        assertThat(counters.counter(name).get()).isEqualTo(6);
        assertThat(counters.counterNames("").names()).containsExactly(name);
    }

    @Test
    void importFromAnotherOriginIsNotTakenForOurs() {
        InMemoryBackend.over(target)
                .migration()
                .importBase(Kind.COUNTER, name, new ImportedState("another", true, 9, 0), call)
                .join();
        old.counter(name).add(5);
        old.counter(name).seal("new");
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(counters.counter(name)::increment)
                .withMessageContaining("another")
                .withMessageContaining("old");
        assertThatExceptionOfType(NotAppliedException.class).isThrownBy(counters.counter(name)::get);
    }

    @Test
    void tokenFromBeforeTheMoveIsAppliedOnceAndReturnsItsFirstResult() {
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        old.counter(name).add(5, added);
        Entry first = old.sequence(name).append(Change.ADDED, "a", Map.of("a", 1L), appended);
        counters.counter(name).add(5, added);
        assertThat(counters.sequence(name).append(Change.ADDED, "a", Map.of(), appended))
                .isEqualTo(first);
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name).add(6, added));
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.sequence(name).append(Map.of(), appended));
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.sequence(name).append(Map.of(), added));
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.sequence(name).last()).isOne();
    }

    @Test
    void tokensAreResolvedAtTheSourceForItsRetention() {
        IdempotencyToken token = IdempotencyToken.random();
        counters.counter(name).increment();
        elapse(Duration.ofHours(24));
        counters.counter(name).add(1, token);
        assertThat(calls).contains("source.resolve(" + token + ")");
        calls.clear();
        elapse(Duration.ofNanos(1));
        counters.counter(name).add(1, IdempotencyToken.random());
        counters.sequence(name + "/other").next();
        counters.counter(name).add(1, token);
        assertThat(calls).noneMatch(what -> what.startsWith("source.resolve"));
        assertThat(counters.counter(name).get()).isEqualTo(3);
    }

    private void elapse(Duration time) {
        now.set(now.get().plus(time));
        nanos.addAndGet(time.toNanos());
    }

    /** The time of the seal is by the clock of the source, which may differ from this process's clock. */
    @ParameterizedTest
    @ValueSource(longs = {-10_000, -25, 25, 10_000})
    void tokensAreResolvedAtTheSource_whateverTheClockOfTheSeal(long hours) {
        IdempotencyToken token = IdempotencyToken.random();
        Instant wrong = NOON.plus(Duration.ofHours(hours));
        rollout.set(0);
        now.set(hours > 0 ? wrong : NOON);
        old.counter(name).add(5, token);
        now.set(wrong);
        backend.move(Kind.COUNTER, name, call).join();
        now.set(NOON);
        Counters later = Counters.over(connect());
        elapse(Duration.ofHours(24).minusNanos(1));

        counters.counter(name).add(5, token);
        later.counter(name).add(5, token);

        assertThat(counters.counter(name).get()).isEqualTo(5);
    }

    @Test
    void longerRetentionOfTheSource_isUsed() {
        InMemoryStore longer = InMemoryStore.create(InMemoryOptions.builder()
                .clock(now::get)
                .retention(Duration.ofDays(2))
                .build());
        IdempotencyToken token = IdempotencyToken.random();
        Counters.over(InMemoryBackend.over(longer)).counter(name).add(5, token);
        MigratingBackend moving =
                MigratingBackend.create(InMemoryBackend.over(longer), InMemoryBackend.over(target), options());
        assertThat(moving.retention()).isEqualTo(Duration.ofHours(24));
        moving.move(Kind.COUNTER, name, call).join();
        elapse(Duration.ofDays(2));

        Counters.over(moving).counter(name).add(5, token);

        assertThat(Counters.over(moving).counter(name).get()).isEqualTo(5);
    }

    @Test
    void unknownTokenIsResolvedAtBothStores() {
        rollout.set(0);
        IdempotencyToken token = IdempotencyToken.random();
        old.counter(name).add(5);
        assertThat(counters.resolve(token).applied()).isFalse();
        backend.move(Kind.COUNTER, name, call).join();
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name).add(1, token));
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name + "/unmoved").add(1, token));
        assertThat(counters.counter(name).get()).isEqualTo(5);
    }

    @Test
    void subjectsFromBeforeTheMoveAreKnown() {
        old.sequence(name).append(Change.ADDED, "live", Map.of());
        old.sequence(name).append(Change.ADDED, "removed", Map.of());
        old.sequence(name).append(Change.REMOVED, "removed", Map.of());
        Sequence moved = counters.sequence(name);
        moved.next();
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.ADDED, "live", Map.of()));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.UPDATED, "removed", Map.of()));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.UPDATED, "unknown", Map.of()));
        assertThat(moved.append(Change.REMOVED, "live", Map.of()).liveCount()).isOne();
        assertThat(moved.append(Change.ADDED, "removed", Map.of()).number()).isEqualTo(6);
    }

    @Test
    void entriesAreReadFromTheStoreThatHoldsThem() {
        for (int i = 1; i <= 4; i++) {
            old.sequence(name).append(Map.of("i", (long) i));
        }
        counters.sequence(name).append(Map.of("i", 5L));
        List<Entry> before = counters.sequence(name).read(1, 9);
        assertThat(before).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L, 5L);
        backend.target()
                .migration()
                .copy(name, List.of(before.get(1), before.get(3)), call)
                .join();
        assertThat(counters.sequence(name).read(1, 9)).isEqualTo(before);
        assertThat(counters.sequence(name).read(2, 2)).isEqualTo(before.subList(1, 2));
        assertThat(counters.sequence(name).read(3, 4)).isEqualTo(before.subList(2, 4));
        assertThat(counters.sequence(name).read(6, 9)).isEmpty();
    }

    @Test
    void entryIsErasedAtBothStores() {
        old.sequence(name).append(Map.of("a", 1L));
        old.sequence(name).append(Map.of("a", 2L));
        List<Entry> readByACopier = old.sequence(name).read(1, 1);
        counters.sequence(name).append(Map.of("a", 3L));
        counters.sequence(name).erase(1);
        counters.sequence(name).erase(1);
        backend.target().migration().copy(name, readByACopier, call).join();
        counters.sequence(name).erase(3);
        assertThat(counters.sequence(name).read(1, 3)).extracting(Entry::erased).containsExactly(true, false, true);
        assertThat(old.sequence(name).read(1, 2)).extracting(Entry::erased).containsExactly(true, false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counters.sequence(name).erase(4));
    }

    @Test
    void namesOfBothStoresAreListedOnce() {
        rollout.set(0);
        for (String suffix : List.of("/moved", "/stays", "/deleted", "/was deleted")) {
            counters.counter(name + suffix).increment();
        }
        for (String suffix : List.of("/moved", "/deleted", "/new")) {
            backend.move(Kind.COUNTER, name + suffix, call).join();
        }
        counters.counter(name + "/new").increment();
        counters.counter(name + "/deleted").delete();
        counters.counter(name + "/was deleted").delete();
        for (int limit = 1; limit <= 4; limit++) {
            List<String> names = new CopyOnWriteArrayList<>();
            String cursor = null;
            do {
                var page = counters.counterNames(name, cursor, limit);
                assertThat(page.names()).hasSizeLessThanOrEqualTo(limit);
                names.addAll(page.names());
                cursor = page.next();
            } while (cursor != null);
            assertThat(names).containsExactlyInAnyOrder(name + "/moved", name + "/stays", name + "/new");
        }
    }

    @Test
    void sourceThatCannotSealCountersKeepsThem() {
        CounterBackend sequencesOnly = declaring(source, EnumSet.of(Capability.SEAL_SEQUENCES));
        MigratingBackend half = MigratingBackend.create(sequencesOnly, InMemoryBackend.over(target), options());
        Counters halfway = Counters.over(half);
        halfway.counter(name).add(5);
        halfway.counter(name).reset();
        halfway.counter(name).add(7);
        halfway.sequence(name).next();
        assertThat(halfway.counter(name).get()).isEqualTo(7);
        assertThat(halfway.counterNames("").names()).containsExactly(name);
        assertThat(source.dump().counters()).containsEntry(name, 7L);
        assertThat(target.dump().sequences()).containsKey(name);
        assertThat(half.canMove(Kind.COUNTER)).isFalse();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> join(half.move(Kind.COUNTER, name, call)))
                .withMessageContaining("cannot seal counters");
    }

    @Test
    void storesWithoutTheAbilitiesAreRefusedWithTheReason() {
        InMemoryBackend right = InMemoryBackend.create();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> MigratingBackend.create(declaring(source, EnumSet.of(Capability.TOP)), right, options()))
                .withMessageContaining("the source")
                .withMessageContaining("can seal neither counters nor sequences");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigratingBackend.create(
                        right, declaring(target, EnumSet.complementOf(EnumSet.of(Capability.IMPORT))), options()))
                .withMessageContaining("cannot import names from another store");
    }

    @Test
    void optionsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> MigrationOptions.builder("", "new"));
        assertThatIllegalArgumentException().isThrownBy(() -> MigrationOptions.builder("old", "line\nbreak"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigrationOptions.builder("old", "new").sourceRetention(Duration.ZERO))
                .withMessageContaining("sourceRetention 0 ms: use 1 h to 3650 days");
        assertThat(MigrationOptions.builder("old", "new").build().rollout().percent())
                .isZero();
    }

    @Test
    void writerThatIgnoresSealsIsDetectedBeforeTheImport() {
        old.counter(name).increment();
        for (Kind kind : Kind.values()) {
            CounterBackend passed =
                    new ConnectedBackend("source", InMemoryBackend.over(source), new SealIgnoringWriter());
            StorePair pair = new StorePair(passed, InMemoryBackend.over(target), options(), System::nanoTime);
            MigratingBackend right = MutantBackend.of(pair, Mutant.NONE);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> join(right.move(kind, name, call)))
                    .withMessageContaining("a writer that ignores seals");
            assertThat(InMemoryBackend.over(target)
                            .migration()
                            .bases(kind, List.of(name), call)
                            .join()
                            .get(0))
                    .isEmpty();
            MigratingBackend wrong = MutantBackend.of(pair, Mutants.DOES_NOT_CHECK_THE_SOURCE);
            assertThat(join(wrong.move(kind, name, call)).value()).isEqualTo(kind == Kind.COUNTER ? 1 : 0);
        }
    }

    @Test
    void closeClosesBothStores() {
        List<String> closed = new CopyOnWriteArrayList<>();
        MigratingBackend closing = MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(source), Connection.direct()) {
                    @Override
                    public void close() {
                        closed.add("source");
                    }
                },
                new ConnectedBackend("target", InMemoryBackend.over(target), Connection.direct()) {
                    @Override
                    public void close() {
                        closed.add("target");
                    }
                },
                options());
        closing.close();
        assertThat(closed).containsExactly("source", "target");
    }

    private static CounterBackend declaring(InMemoryStore store, Set<Capability> capabilities) {
        return new ConnectedBackend("source", InMemoryBackend.over(store), Connection.direct()) {
            @Override
            public Set<Capability> capabilities() {
                return capabilities;
            }
        };
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
