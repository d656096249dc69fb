package io.counterkit.tck.internal.model;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Random operations of the SPI by several processes, one after another, on names that are similar. Compares each
 * answer, and the state of all names, with a model.
 */
public final class StoreRun {
    private final List<CounterBackend> processes;
    private final Supplier<Commit> commits;
    private final Random random;
    private final String prefix;
    private final RandomInputs inputs;
    private final StoreModel model;
    private final String label;
    private String doing;

    /**
     * Creates a run on counters and sequences whose names start with {@code prefix}; none of them was used.
     *
     * @param isLong whether names and tokens are long, so that a store may shorten them
     */
    public StoreRun(
            List<CounterBackend> processes, Supplier<Commit> commits, String prefix, boolean isLong, long seed) {
        this.processes = processes;
        this.commits = commits;
        this.random = new Random(seed);
        this.prefix = prefix;
        this.label = "seed " + seed;
        this.doing = label;
        this.inputs = new RandomInputs(random, prefix, isLong);
        this.model = new StoreModel(inputs.names(), commits);
    }

    /** Makes random changes, and compares the state after each of them. */
    public void run(int steps) {
        for (int step = 1; step <= steps; step++) {
            String name = model.names.get(random.nextInt(model.names.size()));
            CounterBackend process = process();
            switch (random.nextInt(12)) {
                case 0 -> resolve(process, name);
                case 1, 2, 3, 4 -> changeCounter(process, model.counter(name), name);
                default -> changeSequence(process, model.sequence(name), name);
            }
            model.compare(process(), inputs.subject(), doing);
        }
    }

    /** Seals half of the counters and sequences, and compares the state after that, of every subject. */
    public void sealSome() {
        for (String name : model.names) {
            if (random.nextBoolean()) {
                sealCounter(process(), model.counter(name), name);
            }
            if (random.nextBoolean()) {
                sealSequence(process(), model.sequence(name), name);
            }
        }
        RandomInputs.SUBJECTS.forEach(subject -> model.compare(process(), subject, doing));
    }

    /** Compares the store's lists, which may lag. */
    public void compareLists() {
        StoreLists.compare(model, process(), prefix, doing);
    }

    /** Compares what every token stands for. */
    public void compareTokens() {
        model.compareTokens(process(), doing);
    }

    private void resolve(CounterBackend process, String name) {
        IdempotencyToken token = inputs.newToken();
        Resolution never = new Resolution.NotApplied();
        check("resolution of the new token " + token, name, () -> process.resolve(token, null, commits.get()), never);
        model.tokens.put(token, never);
    }

    private void changeCounter(CounterBackend process, CounterModel counter, String name) {
        int kind = random.nextInt(20);
        boolean canImport = process.capabilities().contains(Capability.IMPORT) && !counter.isDeleted;
        if (canImport && (kind < 4 || (counter.isUnused() && random.nextBoolean()))) {
            ImportedState base = new ImportedState("o" + kind, kind > 0, kind > 0 ? inputs.number() : 0, 0);
            check(
                    "import of " + base,
                    name,
                    () -> process.migration().importBase(Kind.COUNTER, name, base, commits.get()),
                    counter.importBase(base));
        } else if (kind == 4) {
            sealCounter(process, counter, name);
        } else if (kind < 8) {
            check("reset", name, () -> process.counters().reset(name, commits.get()), counter.reset());
        } else if (kind < 10) {
            check("deletion", name, () -> process.counters().delete(name, commits.get()), counter.delete());
        } else {
            long delta = kind < 12 && Math.abs(counter.total) <= 1L << 53 ? -counter.total : inputs.number();
            IdempotencyToken token = inputs.token(model.tokens.keySet());
            check(
                    "add of " + delta + (token == null ? "" : " with the token " + token),
                    name,
                    () -> process.counters()
                            .add(List.of(new AddRequest(name, delta, token)), commits.get())
                            .thenApply(Answers::only),
                    counter.add(delta, token));
        }
    }

    private void changeSequence(CounterBackend process, SequenceModel sequence, String name) {
        int kind = random.nextInt(24);
        boolean isImported = sequence.isImported();
        if (kind < 4 && process.capabilities().contains(Capability.IMPORT)) {
            ImportedState base =
                    new ImportedState("o" + kind, kind > 0, kind > 0 ? Math.abs(inputs.number()) : 0, kind);
            check(
                    "import of " + base,
                    name,
                    () -> process.migration().importBase(Kind.SEQUENCE, name, base, commits.get()),
                    sequence.importBase(base));
        } else if (kind < 7 && isImported) {
            String subject = inputs.subject();
            boolean isLive = random.nextBoolean();
            check(
                    "import of the subject '" + subject + "', live: " + isLive,
                    name,
                    () -> process.migration().importSubject(name, subject, isLive, commits.get()),
                    sequence.importSubject(subject, isLive));
        } else if (kind < 11 && isImported) {
            Entry entry = new Entry(
                    random.nextLong(1, 5),
                    Instant.EPOCH.plusMillis(random.nextInt()),
                    Change.UPDATED,
                    inputs.subject(),
                    Map.of("copy", inputs.number()),
                    Math.abs(inputs.number()),
                    false);
            check(
                    "copy of " + entry,
                    name,
                    () -> process.migration().copy(name, List.of(entry), commits.get()),
                    sequence.copy(List.of(entry)));
        } else if (kind == 11) {
            sealSequence(process, sequence, name);
        } else if (kind < 15) {
            long number = random.nextLong(1, sequence.last + 2);
            check(
                    "erasure of " + number,
                    name,
                    () -> process.sequences().erase(name, number, commits.get()),
                    sequence.erase(number));
        } else {
            append(process, sequence, name, kind < 18 ? null : inputs.subject(sequence.subjects.keySet()));
        }
    }

    private void sealCounter(CounterBackend process, CounterModel counter, String name) {
        if (process.capabilities().contains(Capability.SEAL_COUNTERS)) {
            String to = inputs.address();
            check("seal to " + to, name, () -> process.counters().seal(name, to, commits.get()), counter.seal(to));
        }
    }

    private void sealSequence(CounterBackend process, SequenceModel sequence, String name) {
        if (process.capabilities().contains(Capability.SEAL_SEQUENCES)) {
            String to = inputs.address();
            check("seal to " + to, name, () -> process.sequences().seal(name, to, commits.get()), sequence.seal(to));
        }
    }

    private void append(CounterBackend process, SequenceModel sequence, String name, @Nullable String subject) {
        Change change = subject == null ? Change.ADDED : inputs.change(sequence.isLive(subject));
        AppendRequest request = new AppendRequest(
                change, subject, Map.of("value", inputs.number()), inputs.token(model.tokens.keySet()));
        Object answer = answer(
                "append of " + request,
                name,
                () -> process.sequences()
                        .append(name, List.of(request), commits.get())
                        .thenApply(Answers::only));
        Instant then = answer instanceof Entry entry ? entry.appendedAt() : Instant.EPOCH;
        Answers.check(answer, sequence.append(request, then), doing);
    }

    private CounterBackend process() {
        return processes.get(random.nextInt(processes.size()));
    }

    private void check(String what, String name, Supplier<? extends CompletableFuture<?>> call, Object expected) {
        Answers.check(answer(what, name, call), expected, doing);
    }

    private Object answer(String what, String name, Supplier<? extends CompletableFuture<?>> call) {
        doing = label + ", " + what + " of '" + name + "'";
        return Answers.of(call, doing);
    }
}
