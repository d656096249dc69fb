package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamedReading;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Compares the lists of a store with a model: those of counters, of sequences and of the largest counters. */
final class StoreLists {
    private StoreLists() {}

    /**
     * Compares the lists of names that start with {@code prefix}. They may lag.
     *
     * @param model has all these names
     */
    static void compare(StoreModel model, CounterBackend process, String prefix, String doing) {
        Predicate<String> isChanged = name -> model.counter(name).isChanged;
        List<String> present = model.names.stream()
                .filter(isChanged.and(name -> model.counter(name).isPresent))
                .toList();
        assertThat(ListedNames.of(process, Kind.COUNTER, prefix, model.commits).stream()
                        .filter(isChanged))
                .as("%s, then a list of counters", doing)
                .containsExactlyInAnyOrderElementsOf(present);
        Predicate<String> isOpen = name -> !model.sequence(name).isAsImported();
        assertThat(ListedNames.of(process, Kind.SEQUENCE, prefix, model.commits).stream()
                        .filter(isOpen))
                .as("%s, then a list of sequences", doing)
                .containsExactlyInAnyOrderElementsOf(model.names.stream()
                        .filter(isOpen.and(name -> model.sequence(name).last > 0 || model.sequence(name).seal != null))
                        .toList());
        if (process.capabilities().contains(Capability.TOP)) {
            compareLargest(model, process, prefix, present, doing + ", then a list of the largest counters");
        }
    }

    /** Compares whether a counter is listed, and ranked with its total. */
    static void compareCounter(StoreModel model, CounterBackend process, String name, String doing) {
        CounterModel counter = model.counter(name);
        if (!counter.isChanged) {
            return;
        }
        assertThat(ListedNames.of(process, Kind.COUNTER, name, model.commits))
                .as("%s, then a list of counters", doing)
                .satisfies(listed -> assertThat(listed.contains(name)).isEqualTo(counter.isPresent));
        boolean isRanked = model.names.stream()
                .allMatch(
                        other -> !other.startsWith(name) || model.counter(other).isInRange());
        if (isRanked && process.capabilities().contains(Capability.TOP)) {
            assertThat(process.counters().top(name, Limits.MAX_PAGE, model.commits.get()).join().stream()
                            .filter(named -> named.name().equals(name))
                            .map(named -> named.reading().value()))
                    .as("%s, then its total in a list of the largest counters", doing)
                    .isEqualTo(counter.isPresent ? List.of(counter.total) : List.of());
        }
    }

    /** Compares whether a sequence is listed. */
    static void compareSequence(StoreModel model, CounterBackend process, String name, String doing) {
        SequenceModel sequence = model.sequence(name);
        if (!sequence.isAsImported()) {
            assertThat(ListedNames.of(process, Kind.SEQUENCE, name, model.commits))
                    .as("%s, then a list of sequences", doing)
                    .satisfies(listed ->
                            assertThat(listed.contains(name)).isEqualTo(sequence.last > 0 || sequence.seal != null));
        }
    }

    private static void compareLargest(
            StoreModel model, CounterBackend process, String prefix, List<String> present, String doing) {
        Supplier<CompletableFuture<List<NamedReading>>> top =
                () -> process.counters().top(prefix, Math.max(100, model.names.size()), model.commits.get());
        if (!model.names.stream().allMatch(name -> model.counter(name).isInRange())) {
            assertThat(Answers.of(top, doing))
                    .as("%s, which has to fail, since a total is out of range", doing)
                    .isEqualTo(CounterOverflowException.class);
            return;
        }
        List<String> largest = top.get().join().stream()
                .filter(named -> model.counter(named.name()).isChanged)
                .map(named -> named.reading().value() + " " + named.name())
                .toList();
        List<String> expected = present.stream()
                .sorted(Comparator.comparing((String name) -> -model.counter(name).total)
                        .thenComparing(name -> name))
                .map(name -> model.counter(name).total + " " + name)
                .toList();
        assertThat(largest).as(doing).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(largest.stream().filter(StoreLists::hasOneOrder))
                .as("%s, and its order", doing)
                .containsExactlyElementsOf(
                        expected.stream().filter(StoreLists::hasOneOrder).toList());
    }

    /** Returns whether the characters of a text are in the same order in UTF-8 and in UTF-16. */
    private static boolean hasOneOrder(String text) {
        return text.chars().allMatch(c -> c < Character.MIN_SURROGATE);
    }
}
