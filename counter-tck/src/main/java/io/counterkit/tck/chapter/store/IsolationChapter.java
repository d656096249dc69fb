package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.NamedReading;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 9: isolation. */
public abstract class IsolationChapter extends Chapter {
    /** The number of threads that create names concurrently, and of the names that each of them creates. */
    private static final int CREATORS = 4;

    private static final int EACH = 15;

    private static final int FEW_EACH = 3;

    /** More counters than a store is likely to keep in one row or document. */
    private static final int MANY = 200;

    private static final int FEW = 50;

    @Test
    @Rule(
            value = "9.1",
            lookAt = "how names become keys of the store: no two names may share a key, whatever their case and"
                    + " characters")
    final void spec901_namesThatLookAlikeAreDifferent() {
        String prefix = name();
        List<String> names = List.of(
                prefix + "/a/b",
                prefix + "/a%2Fb",
                prefix + "/a%252Fb",
                prefix + "/a_b",
                prefix + "/A/b",
                (prefix + "/a/b").toUpperCase(Locale.ROOT),
                prefix + "/a/b/",
                prefix + "/a//b",
                prefix + "/a/b ",
                prefix + "/a\u0301",
                prefix + "/\u00e1");
        for (int i = 0; i < names.size(); i++) {
            here().counter(names.get(i)).add(1L << i);
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(there().counter(names.get(i)).get())
                    .as("the total of '%s'", names.get(i))
                    .isEqualTo(1L << i);
        }
    }

    @Test
    @Rule(value = "9.2", lookAt = "what a reset or deletion of a name does to names that start with it")
    final void spec902_clearingTouchesNoOtherName() {
        String name = name();
        List<Counter> others = new ArrayList<>();
        for (String ending :
                List.of("/", "/b", "/shards", "/shards/0", "x", "0", "1", "/0", "/1", ":0", "#0", "_0", "-0", ".0")) {
            Counter other = here().counter(name + ending);
            other.add(7);
            others.add(other);
        }
        Counter counter = here().counter(name);
        counter.add(5);
        counter.add(1);
        assertTotalElsewhere(counter, 6);
        counter.reset();
        counter.delete();
        others.forEach(other -> assertThat(elsewhere(other).get())
                .as("the total of '%s'", other.name())
                .isEqualTo(7));
    }

    @Test
    @Rule(
            value = "9.3",
            lookAt = "state that is kept per handle, or shared between names, such as a row or document with several"
                    + " counters")
    final void spec903_interleavedNamesDoNotInterfere() throws Exception {
        List<Counter> counters = List.of(counter(), counter(), counter(), counter());
        tasks().runAtOnce(4, thread -> {
            for (int i = 0; i < 60; i++) {
                Counter counter = counters.get((thread + i) % 4);
                (i % 2 == 0 ? counter : elsewhere(counter)).add((thread + i) % 4 == 3 ? -1 : 1);
            }
        });
        assertThat(counters).extracting(Counter::get).containsExactly(60L, 60L, 60L, -60L);
        int size = size(MANY, FEW);
        List<String> many = Stream.generate(this::name).limit(size).toList();
        tasks().runAtOnce(2, thread -> {
            Counters process = thread == 0 ? here() : there();
            awaitAll(IntStream.range(0, size)
                    .mapToObj(i -> process.counter(many.get(thread == 0 ? i : size - 1 - i))
                            .async()
                            .add(thread + 1L)));
        });
        assertThat(here().readAll(many, Duration.ZERO).values().values())
                .as("the totals of %s counters to which two processes added 1 and 2", size)
                .hasSize(size)
                .containsOnly(3L);
        String prefix = name() + "/";
        List<String> names =
                createAtOnce(prefix, (process, name) -> process.counter(name).add(1));
        awaitLists(() -> assertThat(ListedNames.ofCounters(there(), prefix))
                .as("the list of counters whose first adds were concurrent")
                .containsExactlyInAnyOrderElementsOf(names));
        if (declares(Capability.TOP)) {
            awaitLists(() -> assertThat(there().top(prefix, names.size() + 1))
                    .as("the ranking of counters whose first adds were concurrent")
                    .extracting(NamedReading::name)
                    .containsExactlyInAnyOrderElementsOf(names));
        }
    }

    /** Makes the first change of new names, in several threads of two processes. Returns all names. */
    private List<String> createAtOnce(String prefix, BiConsumer<Counters, String> change) throws Exception {
        int each = size(EACH, FEW_EACH);
        return tasks()
                .callAtOnce(CREATORS, thread -> {
                    Counters process = thread % 2 == 0 ? here() : there();
                    List<String> names = IntStream.range(0, each)
                            .mapToObj(i -> prefix + thread + "/" + i)
                            .toList();
                    names.forEach(name -> change.accept(process, name));
                    return names;
                })
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    @Test
    @Rule(value = "9.4", lookAt = "state that is kept per handle, or shared between names")
    final void spec904_sequencesDoNotInterfere() throws Exception {
        List<Sequence> sequences = List.of(sequence(), sequence(), here().sequence(name() + "/|1"));
        for (int i = 0; i < 12; i++) {
            Sequence sequence = sequences.get(i % 3);
            long number = (i % 2 == 0 ? sequence : elsewhere(sequence))
                    .append(Map.of("sequence", sequence.name()))
                    .number();
            assertThat(number).isEqualTo(i / 3 + 1);
        }
        for (Sequence sequence : sequences) {
            assertThat(sequence.read(1, 10))
                    .hasSize(4)
                    .allSatisfy(entry -> assertThat(entry.fields()).containsEntry("sequence", sequence.name()));
        }
        String name = name();
        List<Sequence> joined = List.of(
                here().sequence(name),
                here().sequence(name + "1"),
                here().sequence(name + "11"),
                here().sequence(name + "0"));
        for (int i = 0; i < 12; i++) {
            joined.forEach(sequence -> sequence.append(Map.of("sequence", sequence.name())));
        }
        joined.forEach(sequence -> assertThat(elsewhere(sequence).read(1, 20))
                .as("the entries of sequences whose names end with digits")
                .extracting(entry -> entry.number() + " " + entry.fields().get("sequence"))
                .isEqualTo(LongStream.rangeClosed(1, 12)
                        .mapToObj(number -> number + " " + sequence.name())
                        .toList()));
        String prefix = name() + "/";
        List<String> names = createAtOnce(prefix, (process, sequence) -> {
            assertThat(process.sequence(sequence)
                            .append(Change.ADDED, "s", Map.of())
                            .number())
                    .isOne();
            appendNumber(process.sequence(sequence), 2);
        });
        for (String sequence : names) {
            assertThat(there().sequence(sequence).tail())
                    .as("the tail of a sequence that was created while others were created")
                    .isEqualTo(new Tail(2, 2, null));
        }
        if (declares(Capability.IMPORT)) {
            CounterBackend backend = backend();
            for (String sequence : names) {
                assertThat(backend.migration().subject(sequence, "s", commit()).join())
                        .as("whether the subject is live in a sequence that was created while others were created")
                        .contains(true);
            }
        }
        awaitLists(() -> assertThat(ListedNames.ofSequences(there(), prefix))
                .as("the list of sequences whose first appends were concurrent")
                .containsExactlyInAnyOrderElementsOf(names));
    }

    @Test
    @Rule(value = "9.5", lookAt = "names that the store reserves, interprets or treats as equal if they have no prefix")
    final void spec905_reservedNamesOfTheStoreAreOrdinaryNames() {
        List<String> names = SimilarTexts.alone();
        List<Long> totals =
                names.stream().map(name -> here().counter(name).get()).toList();
        List<Long> numbers =
                names.stream().map(name -> here().sequence(name).last()).toList();
        for (String name : names) {
            here().counter(name).add(3);
            here().sequence(name).next();
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            assertThat(there().counter(name).get())
                    .as("the total of %s", SimilarTexts.shown(name))
                    .isEqualTo(totals.get(i) + 3);
            assertThat(there().sequence(name).last())
                    .as("the last number of %s", SimilarTexts.shown(name))
                    .isEqualTo(numbers.get(i) + 1);
        }
    }
}
