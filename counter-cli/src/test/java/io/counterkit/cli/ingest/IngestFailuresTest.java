package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.QueueFullException;
import io.counterkit.Resolution;
import io.counterkit.cli.AlteredBackend;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.TestBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngestFailuresTest {
    private static final Map<String, Long> EXPECTED =
            IntStream.range(0, 3_000).boxed().collect(Collectors.toMap(i -> "n" + i, i -> i % 3 == 2 ? -4L : 2L));

    /**
     * One call in twelve: of thousands of adds many are repeated, and none ten times, which is as often as it is tried.
     */
    private static final double CHANCE = 0.08;

    private static final String INPUT = IntStream.range(0, 3_000)
            .mapToObj(i -> i % 3 == 2 ? "n" + i + "\t-2\n" : "n" + i + "\n")
            .collect(Collectors.joining())
            .repeat(2);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void lostRepliesAndFailures_totalsAreExact(long seed) {
        InMemoryStore store = InMemoryStore.create();
        store.faults().inject(Fault.LOSE_REPLY, Calls.all().withChance(CHANCE, new Random(seed)));
        store.faults().inject(Fault.FAIL, Calls.all().withChance(CHANCE, new Random(seed + 1)));

        CommandRun run = ingest(InMemoryBackend.over(store), INPUT);

        assertThat(store.dump().counters()).as("seed " + seed).isEqualTo(EXPECTED);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("repeated").contains("exact: 3,000 of 3,000");
    }

    @Test
    void lostRepliesOfMergedAdds_totalsAreExact() {
        InMemoryStore store = InMemoryStore.create(InMemoryOptions.builder()
                .batches(BatchLimits.ofWeight(50).withInFlight(3))
                .build());
        store.faults().inject(Fault.LOSE_REPLY, Calls.all().withChance(CHANCE, new Random(4)));

        CommandRun run = ingest(InMemoryBackend.over(store), INPUT);

        assertThat(store.dump().counters()).isEqualTo(EXPECTED);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void inFlight_isNeverMoreThanAskedFor() {
        Semaphore room = new Semaphore(16);
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService later = Executors.newSingleThreadExecutor();
        CounterBackend slow = new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                assertThat(room.tryAcquire()).isTrue();
                most.accumulateAndGet(open.incrementAndGet(), Math::max);
                return CompletableFuture.supplyAsync(
                        () -> {
                            open.decrementAndGet();
                            room.release();
                            return super.add(request, commit).join();
                        },
                        later);
            }
        };

        CommandRun run = ingest(slow, INPUT, "--in-flight", "16");

        later.shutdown();
        assertThat(most).hasValueBetween(2, 16);
        assertThat(run.out()).contains("exact: 3,000 of 3,000");
    }

    @Test
    void contentionThatPasses_isRetriedSilently() {
        AtomicInteger calls = new AtomicInteger();
        CounterBackend busy = new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                int call = calls.incrementAndGet();
                return switch (call <= 15 ? call % 3 : 2) {
                    case 0 -> failed(new ContentionException("others were first"));
                    case 1 -> failed(new QueueFullException("too many"));
                    default -> super.add(request, commit);
                };
            }
        };

        CommandRun run = ingest(busy, "a\n".repeat(20));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("20  a").contains("exact: 1 of 1");
    }

    @Test
    void contentionThatStays_isReportedByNameAndTheRestIsCounted() {
        CounterBackend busy = new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                return request.name().equals("hot")
                        ? failed(new ContentionException("others were first"))
                        : super.add(request, commit);
            }
        };

        CommandRun run = ingest(busy, "hot\t2\ncold\nhot\t3\n");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly("counter: not applied: 2 adds to 'hot', 5 in total: others were first");
        assertThat(run.out()).contains("1 add to 1 name").contains("1  cold");
    }

    @Test
    void sealedCounter_isReportedAtOnce() {
        InMemoryStore store = InMemoryStore.create();
        Counters.over(InMemoryBackend.over(store)).counter("old").seal("elsewhere");

        CommandRun run = ingest(InMemoryBackend.over(store), "old\nnew\n");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly(
                        "counter: not applied: 1 add to 'old', 1 in total: 'old' was sealed at 0 and continues at"
                                + " 'elsewhere'");
        assertThat(run.out()).doesNotContain("repeated");
    }

    @Test
    void outcomeThatStaysUnknown_isReportedWithItsToken() {
        CounterBackend mute = new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                return lost(super.add(request, commit), commit);
            }

            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                return CompletableFuture.failedFuture(new NotAppliedException("gone"));
            }
        };

        CommandRun run = ingest(mute, "a\t3\n");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("counter: unknown: add of 3 to 'a', token ingest/");
        assertThat(run.out()).contains("0 adds to 0 names");
    }

    @Test
    void totalThatIsNotWhatWasAdded_isReported() {
        CounterBackend forgetful = new AlteredBackend() {
            @Override
            protected long readTotal(long total) {
                return total - 1;
            }
        };

        CommandRun run = ingest(forgetful, "a\na\n");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactly("counter: 'a' is 1 in the store, but 2 was added to it");
        assertThat(run.out()).contains("exact: 0 of 1");
    }

    private static CompletableFuture<List<Result<Void>>> failed(NotAppliedException failure) {
        return CompletableFuture.completedFuture(List.of(Result.failed(failure)));
    }

    private static CompletableFuture<List<Result<Void>>> lost(
            CompletableFuture<List<Result<Void>>> reply, Commit commit) {
        return reply.thenApply(
                applied -> List.of(Result.failed(new OutcomeUnknownException("reply lost", commit.token(), null))));
    }

    private static CommandRun ingest(CounterBackend backend, String input, String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "ingest";
        System.arraycopy(options, 0, args, 1, options.length);
        return CommandRun.on(
                Backends.of(new TestBackend(backend)),
                new ByteArrayInputStream(input.getBytes(UTF_8)),
                new Interrupt(),
                args);
    }
}
