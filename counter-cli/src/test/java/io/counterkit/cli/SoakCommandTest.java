package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Entry;
import io.counterkit.Tail;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Soaks of a correct backend, and of backends with one flaw each, which the soak must report. */
class SoakCommandTest {
    private final AtomicInteger calls = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.03", "0.2"})
    void correctBackend_isExact(String faults) {
        CommandRun run = CommandRun.of("soak", "--operations=3000", "--faults=" + faults);

        assertThat(run.out()).as(run.err()).endsWith("exact: 55 of 55\n");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern("\\d adds \\(\\d+\\.\\d adds a commit\\)");
        assertThat(run.out()).containsPattern(faults.equals("0") ? "\n0 faults" : "[1-9]\\d* of them applied");
    }

    @Test
    void json_hasTheVerdictAndTheNumbers() {
        CommandRun run = CommandRun.of(
                "soak", "--operations=500", "--seed=42", "--workers=3", "--counters=4", "--sequences=2", "--json");

        Map<String, Object> result = ParsedJson.object(run.out());
        assertThat(result)
                .containsEntry("exact", true)
                .containsEntry("names", 6L)
                .containsEntry("differing", 0L)
                .containsEntry("firstDifferences", List.of())
                .containsEntry("operations", 500L)
                .containsEntry("seed", 42L);
        assertThat((Long) result.get("commits")).isPositive();
        assertThat((Double) result.get("addsPerCommit")).isGreaterThanOrEqualTo(1);
    }

    @Test
    void soakOnATerminal_showsABar_whateverItsTime() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        AlteredBackend backend = new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                if (!isBarShown(err)) {
                    await().until(() -> isBarShown(err));
                }
                return super.add(request, commit);
            }
        };
        Console terminal = new Console(
                InputStream.nullInputStream(),
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                80);

        int exitCode = Main.run(
                Backends.of(new TestBackend(backend)),
                terminal,
                new Interrupt(),
                "soak",
                "--duration=999999999h",
                "--operations=1000");

        assertThat(exitCode).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("[", "operations");
    }

    private static boolean isBarShown(ByteArrayOutputStream err) {
        return err.toString(StandardCharsets.UTF_8).contains("%");
    }

    @Test
    void soakOfCountersOnlyOrSequencesOnly_isExact() {
        assertThat(CommandRun.of("soak", "--operations=500", "--sequences=0").out())
                .contains("exact: 50 of 50");
        assertThat(CommandRun.of("soak", "--operations=500", "--counters=0").out())
                .contains("exact: 5 of 5");
    }

    @Test
    void backendThatCannotBeDisturbed_isRefusedWithFaults() {
        CommandRun run = soak(new AlteredBackend(), "--faults=0.1");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("backend 'inmemory' has no fault injection");
    }

    @Test
    void oneLostAdd_isFound() {
        assertFound("the total is", new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                return isChosen(request)
                        ? CompletableFuture.completedFuture(List.of(Result.applied()))
                        : super.add(request, commit);
            }
        });
    }

    @Test
    void oneAddAppliedTwice_isFound() {
        assertFound("the total is", new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                return isChosen(request)
                        ? super.add(request, commit).thenCompose(first -> super.add(request, commit))
                        : super.add(request, commit);
            }
        });
    }

    /** Chooses an add without a token: a repetition would mend one with a token. */
    private boolean isChosen(AddRequest request) {
        return request.token() == null && request.delta() != 0 && calls.incrementAndGet() == 500;
    }

    @Test
    void tokensThatAreIgnored_areFound() {
        assertFound("the total is", new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                return super.add(new AddRequest(request.name(), request.delta(), null), commit);
            }
        });
    }

    @Test
    void readOfATotalThatNeverWas_isFound() {
        assertFound("a read returned", new AlteredBackend() {
            @Override
            protected long readTotal(long total) {
                return calls.incrementAndGet() == 50 ? total + 20_000_000_000L : total;
            }
        });
    }

    @Test
    void entryAppendedTwice_isFound() {
        assertFound("was assigned, but to no append", new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Entry>>> append(
                    String sequence, AppendRequest request, Commit commit) {
                AppendRequest again = new AppendRequest(request.change(), null, request.fields(), null);
                return calls.incrementAndGet() == 50
                        ? super.append(sequence, request, commit)
                                .thenCompose(first ->
                                        super.append(sequence, again, commit).thenApply(second -> first))
                        : super.append(sequence, request, commit);
            }
        });
    }

    @Test
    void numberSkipped_isFound() {
        assertFound("was assigned, but to no append", new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Entry>>> append(
                    String sequence, AppendRequest request, Commit commit) {
                return calls.incrementAndGet() == 50
                        ? super.append(sequence, new AppendRequest(request.change(), null, Map.of(), null), commit)
                                .thenCompose(skipped -> super.append(sequence, request, commit))
                        : super.append(sequence, request, commit);
            }
        });
    }

    @Test
    void numberGivenOutTwice_isFound() {
        assertFound("was assigned twice", new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Entry>>> append(
                    String sequence, AppendRequest request, Commit commit) {
                return super.append(sequence, request, commit).thenApply(results -> {
                    Entry entry = results.get(0).value();
                    return entry == null || entry.number() < 20
                            ? results
                            : List.of(Result.of(withNumber(entry, 20, entry.fields())));
                });
            }
        });
    }

    @Test
    void changedField_isFound() {
        assertFound("should hold", new AlteredBackend() {
            @Override
            protected Entry readEntry(Entry entry) {
                return entry.number() == 7 ? withNumber(entry, 7, Map.of("id", 1L)) : entry;
            }
        });
    }

    @Test
    void wrongLiveCount_isFound() {
        assertFound("the live count is", new AlteredBackend() {
            @Override
            protected Tail readTail(Tail tail) {
                return new Tail(tail.last(), tail.liveCount() + 1, tail.seal());
            }
        });
    }

    @Test
    void staleTail_isFound() {
        assertFound("the last number was read as", new AlteredBackend() {
            @Override
            protected Tail readTail(Tail tail) {
                return tail.last() < 10 ? tail : new Tail(tail.last() - 9, tail.liveCount(), tail.seal());
            }
        });
    }

    @Test
    void errorsOfTheBackend_areResolvedAsUnknownOutcomes() {
        CommandRun run = soak(new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                throw new AssertionError("broken");
            }
        });

        assertThat(run.exitCode()).as(run.out()).isZero();
    }

    private void assertFound(String text, AlteredBackend broken) {
        CommandRun run = soak(broken);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains(text).containsPattern("\ndiffers: \\d+ of 55\n$");
    }

    private static CommandRun soak(AlteredBackend backend, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "soak";
        args[1] = "--operations=5000";
        System.arraycopy(options, 0, args, 2, options.length);
        return CommandRun.on(
                Backends.of(new TestBackend(backend)), InputStream.nullInputStream(), new Interrupt(), args);
    }

    private static Entry withNumber(Entry entry, long number, Map<String, Object> fields) {
        return new Entry(
                number, entry.appendedAt(), entry.change(), entry.subject(), fields, entry.liveCount(), entry.erased());
    }
}
