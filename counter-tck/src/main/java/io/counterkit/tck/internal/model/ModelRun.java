package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/** Random operations of several processes, one after another, each compared with a model in memory. */
public final class ModelRun {
    /** The operations, as messages name them; a random index selects one. */
    private static final List<String> OPERATIONS = List.of(
            "an add",
            "an add",
            "an add with a token",
            "a repetition of a change with a token",
            "a reset",
            "a deletion",
            "an append",
            "an append",
            "a change of a subject",
            "a change of a subject",
            "an erasure",
            "a resolution of a new token");

    private final List<Counters> processes;
    private final Predicate<IdempotencyToken> isApplied;
    private final long seed;
    private final Random random;
    private final List<String> names;
    private final Map<String, Long> totals = new HashMap<>();
    private final Map<IdempotencyToken, Resolution> used = new HashMap<>();
    private final Map<String, List<Entry>> entries = new HashMap<>();
    private final Map<String, Set<String>> live = new HashMap<>();
    private final Map<String, Long> liveCounts = new HashMap<>();

    /**
     * @param names the counters and sequences to change, which are absent
     * @param isApplied resolves a token from another process
     */
    public ModelRun(List<Counters> processes, List<String> names, Predicate<IdempotencyToken> isApplied, long seed) {
        this.processes = List.copyOf(processes);
        this.names = List.copyOf(names);
        this.isApplied = isApplied;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** Carries out one operation and compares the state in each process with the model. */
    public void step(int step) {
        String name = names.get(random.nextInt(names.size()));
        Counters counters = processes.get(random.nextInt(processes.size()));
        int operation = random.nextInt(OPERATIONS.size());
        String doing = "seed " + seed + ", step " + step + ", " + OPERATIONS.get(operation) + " of '" + name + "'";
        switch (operation) {
            case 0, 1 -> add(counters, name);
            case 2 -> addOnce(counters, name);
            case 3 -> repeat(counters, doing);
            case 4 -> reset(counters, name);
            case 5 -> delete(counters, name);
            case 6, 7 -> append(counters.sequence(name), doing);
            case 8, 9 -> revise(counters.sequence(name), doing);
            case 10 -> erase(counters.sequence(name));
            default -> resolveUnseen(counters, name);
        }
        compare(counters, name, doing);
    }

    private void add(Counters counters, String name) {
        long delta = random.nextLong(-100, 101);
        counters.counter(name).add(delta);
        totals.merge(name, delta, Long::sum);
    }

    private void addOnce(Counters counters, String name) {
        IdempotencyToken token = IdempotencyToken.random();
        long delta = random.nextLong(-100, 101);
        counters.counter(name).add(delta, token);
        totals.merge(name, delta, Long::sum);
        used.put(token, new Resolution.Added(name, delta));
    }

    private void repeat(Counters counters, String doing) {
        if (used.isEmpty()) {
            return;
        }
        IdempotencyToken token = new ArrayList<>(used.keySet()).get(random.nextInt(used.size()));
        Resolution resolution = used.get(token);
        assertThat(counters.resolve(token))
                .as("%s: the resolution of the token", doing)
                .isEqualTo(resolution);
        if (resolution instanceof Resolution.Added added) {
            counters.counter(added.counter()).add(added.delta(), token);
        } else if (resolution instanceof Resolution.Appended appended) {
            Entry again = counters.sequence(appended.sequence()).append(Map.of(), token);
            assertThat(again.number())
                    .as("%s: the number of the repeated append", doing)
                    .isEqualTo(appended.number());
        } else {
            assertThatExceptionOfType(TokenRefusedException.class)
                    .as(doing)
                    .isThrownBy(() -> counters.counter(names.get(0)).add(1, token));
        }
    }

    private void reset(Counters counters, String name) {
        counters.counter(name).reset();
        totals.computeIfPresent(name, (same, total) -> 0L);
    }

    private void delete(Counters counters, String name) {
        counters.counter(name).delete();
        totals.remove(name);
    }

    private void append(Sequence sequence, String doing) {
        IdempotencyToken token = IdempotencyToken.random();
        Entry entry = random.nextBoolean()
                ? sequence.append(Map.of("step", doing))
                : sequence.append(Map.of("step", doing), token);
        used.put(token, new Resolution.Appended(sequence.name(), entry.number()));
        if (!isApplied.test(token)) {
            used.put(token, new Resolution.NotApplied());
        }
        record(sequence.name(), entry, Change.ADDED);
    }

    private void revise(Sequence sequence, String doing) {
        Change change = List.of(Change.values()).get(random.nextInt(3));
        String subject = "subject" + random.nextInt(4);
        Set<String> subjects = live.computeIfAbsent(sequence.name(), none -> new HashSet<>());
        if (subjects.contains(subject) == (change == Change.ADDED)) {
            assertThatExceptionOfType(ChangeRefusedException.class)
                    .as(doing)
                    .isThrownBy(() -> sequence.append(change, subject, Map.of()));
            return;
        }
        record(sequence.name(), sequence.append(change, subject, Map.of("step", doing)), change);
        if (change == Change.ADDED) {
            subjects.add(subject);
        } else if (change == Change.REMOVED) {
            subjects.remove(subject);
        }
    }

    private void record(String name, Entry entry, Change change) {
        List<Entry> known = entries.computeIfAbsent(name, none -> new ArrayList<>());
        known.add(entry);
        assertThat(entry.number()).isEqualTo(known.size());
        assertThat(entry.liveCount()).isEqualTo(liveCounts.merge(name, (long) change.delta(), Long::sum));
    }

    private void erase(Sequence sequence) {
        List<Entry> known = entries.getOrDefault(sequence.name(), List.of());
        if (!known.isEmpty()) {
            int index = random.nextInt(known.size());
            sequence.erase(index + 1L);
            known.set(index, known.get(index).withoutFields());
        }
    }

    private void resolveUnseen(Counters counters, String name) {
        IdempotencyToken token = IdempotencyToken.random();
        assertThat(counters.resolve(token).applied()).isFalse();
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name).add(1, token));
    }

    private void compare(Counters counters, String name, String doing) {
        assertThat(counters.counter(name).get()).as("%s: the total", doing).isEqualTo(totals.getOrDefault(name, 0L));
        List<Entry> known = entries.getOrDefault(name, List.of());
        Sequence sequence = counters.sequence(name);
        assertThat(sequence.tail().last()).as("%s: the last number", doing).isEqualTo(known.size());
        assertThat(sequence.tail().liveCount())
                .as("%s: the live count", doing)
                .isEqualTo(liveCounts.getOrDefault(name, 0L));
        assertThat(SequenceHistory.all(sequence)).as("%s: the entries", doing).isEqualTo(known);
    }
}
