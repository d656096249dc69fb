package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a store has to keep of some names. Compares what a process reads with it. */
final class StoreModel {
    private static final Set<Capability> MIGRATING =
            Set.of(Capability.IMPORT, Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES);

    final List<String> names;
    final Map<IdempotencyToken, Resolution> tokens = new LinkedHashMap<>();
    private final Map<String, CounterModel> counters = new HashMap<>();
    private final Map<String, SequenceModel> sequences = new HashMap<>();
    private final Supplier<Commit> commits;

    StoreModel(List<String> names, Supplier<Commit> commits) {
        this.names = names;
        this.commits = commits;
        names.forEach(name -> {
            counters.put(name, new CounterModel(name, tokens));
            sequences.put(name, new SequenceModel(name, tokens));
        });
    }

    CounterModel counter(String name) {
        return Objects.requireNonNull(counters.get(name));
    }

    SequenceModel sequence(String name) {
        return Objects.requireNonNull(sequences.get(name));
    }

    /** Compares what is read strongly of every name, and of one subject in each sequence. */
    void compare(CounterBackend process, String subject, String doing) {
        List<Result<Reading>> totals =
                process.counters().read(names, Duration.ZERO, commits.get()).join();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String after = doing + ", then a read of '" + name + "'";
            assertThat(totals.get(i).orThrow().value()).as(after).isEqualTo(counter(name).total);
            assertThat(process.sequences().tail(name, commits.get()).join())
                    .as(after)
                    .isEqualTo(sequence(name).tail());
            assertThat(process.sequences()
                            .read(name, new NumberRange(1, 1000), commits.get())
                            .join())
                    .as(after)
                    .isEqualTo(sequence(name).entries());
        }
        if (process.capabilities().stream().anyMatch(MIGRATING::contains)) {
            compareStates(process, subject, doing);
        }
    }

    private void compareStates(CounterBackend process, String subject, String doing) {
        List<NameState> ofCounters =
                process.migration().states(Kind.COUNTER, names, commits.get()).join();
        List<NameState> ofSequences =
                process.migration().states(Kind.SEQUENCE, names, commits.get()).join();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String after = doing + ", then the state of '" + name + "'";
            assertThat(ofCounters.get(i).isPresent()).as(after).isEqualTo(counter(name).isPresent);
            assertThat(ofCounters.get(i).seal()).as(after).isEqualTo(counter(name).seal);
            if (!sequence(name).hasOnlyCopies()) {
                assertThat(ofSequences.get(i).isPresent()).as(after).isEqualTo(sequence(name).last > 0);
            }
            assertThat(ofSequences.get(i).seal()).as(after).isEqualTo(sequence(name).seal);
            assertThat(process.migration().subject(name, subject, commits.get()).join())
                    .as("%s, then the subject '%s' of '%s'", doing, subject, name)
                    .isEqualTo(Optional.ofNullable(sequence(name).subjects.get(subject)));
        }
        if (process.capabilities().contains(Capability.IMPORT)) {
            compareImports(process, Kind.COUNTER, doing);
            compareImports(process, Kind.SEQUENCE, doing);
        }
    }

    private void compareImports(CounterBackend process, Kind kind, String doing) {
        assertThat(process.migration().bases(kind, names, commits.get()).join())
                .as("%s, then the imported states of each %s", doing, kind)
                .isEqualTo(names.stream()
                        .map(name -> Optional.ofNullable(imported(kind, name)))
                        .toList());
    }

    private @Nullable ImportedState imported(Kind kind, String name) {
        return kind == Kind.COUNTER ? counter(name).base : sequence(name).base;
    }

    /** Compares the store's lists, which may lag. */
    void compareLists(CounterBackend process, String prefix, String doing) {
        Predicate<String> isChanged = name -> counter(name).isChanged;
        List<String> present = names.stream()
                .filter(isChanged.and(name -> counter(name).isPresent))
                .toList();
        assertThat(
                        ListedNames.from(
                                        null,
                                        cursor -> process.counters()
                                                .names(prefix, cursor, 100, commits.get())
                                                .join())
                                .stream()
                                .filter(isChanged))
                .as("%s, then a list of counters", doing)
                .containsExactlyInAnyOrderElementsOf(present);
        Predicate<String> isOpen = name -> !sequence(name).isAsImported();
        assertThat(
                        ListedNames.from(
                                        null,
                                        cursor -> process.sequences()
                                                .names(prefix, cursor, 100, commits.get())
                                                .join())
                                .stream()
                                .filter(isOpen))
                .as("%s, then a list of sequences", doing)
                .containsExactlyInAnyOrderElementsOf(names.stream()
                        .filter(isOpen.and(name -> sequence(name).last > 0 || sequence(name).seal != null))
                        .toList());
        if (process.capabilities().contains(Capability.TOP)) {
            assertThat(process.counters().top(prefix, 100, commits.get()).join().stream()
                            .filter(named -> counter(named.name()).isChanged))
                    .as("%s, then a list of the largest counters", doing)
                    .extracting(named -> named.name() + " " + named.reading().value())
                    .containsExactlyElementsOf(present.stream()
                            .sorted(Comparator.comparing((String name) -> -counter(name).total)
                                    .thenComparing(name -> name))
                            .map(name -> name + " " + counter(name).total)
                            .toList());
        }
    }

    /** Compares what every token stands for. */
    void compareTokens(CounterBackend process, String doing) {
        tokens.forEach((token, resolution) -> assertThat(
                        process.resolve(token, null, commits.get()).join())
                .as("%s, then the resolution of token %s", doing, token)
                .isEqualTo(resolution));
    }
}
