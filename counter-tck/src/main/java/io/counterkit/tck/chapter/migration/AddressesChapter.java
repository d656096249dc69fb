package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapters 11 and 13, continued: addresses of seals, origins of imports, and many of both. */
public abstract class AddressesChapter extends MigrationChapter {
    private static final List<String> TEXTS = List.of(
            "a",
            " a ",
            "A",
            "firestore:projects/p/databases/(default)?a=1&b='%_\\",
            "\u00e9\u65e5\ud83d\ude00",
            "null",
            "x".repeat(Limits.MAX_TOKEN_BYTES),
            "\u00e9".repeat(Limits.MAX_TOKEN_BYTES / 2));

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 5;

    /** More names than a small cache holds. Used on a fast store only. */
    private static final int MANY = 1000;

    /** The number of names in a brief build. */
    private static final int SOME = 60;

    private static final int FEW = 8;

    /** How many names change concurrently. */
    private static final int AT_ONCE = 4;

    @Test
    @Rule(value = "11.11", lookAt = "the length and the collation of the column that holds the address of a seal")
    final void spec1111_addressOfASealIsUnchanged() throws Exception {
        List<TimedTrial> trials = new ArrayList<>();
        for (List<String> similar : addresses()) {
            for (String address : similar) {
                if (declares(Capability.SEAL_COUNTERS)) {
                    trials.add(() -> assertCounterIsSealed(address, similar));
                }
                if (declares(Capability.SEAL_SEQUENCES)) {
                    trials.add(() -> assertSequenceIsSealed(address, similar));
                }
            }
        }
        timeBox.runBriefly(trials, LEAST, random);
        assertTotal(counter(1), 1);
    }

    /** Returns lists of similar addresses. */
    private List<List<String>> addresses() {
        List<List<String>> addresses = new ArrayList<>();
        for (String text : TEXTS) {
            String upper = text.toUpperCase(Locale.ROOT);
            addresses.add(List.of(text, upper.equals(text) ? text.substring(0, text.length() - 1) + "b" : upper));
        }
        addresses.addAll(SimilarTexts.lists(random));
        return addresses;
    }

    private void assertCounterIsSealed(String address, List<String> similar) {
        Counter counter = here().counter(nameFor(address));
        counter.add(3);
        Seal seal = new Seal(address, 3, 3);
        assertThat(counter.seal(address)).as("the seal that is returned").isEqualTo(seal);
        assertThat(elsewhere(counter).seal(address))
                .as("the seal that another process returns")
                .isEqualTo(seal);
        assertStateHas(seal, Kind.COUNTER, counter.name());
        assertSealed(seal, counter::increment);
        assertSealed(seal, elsewhere(counter)::reset);
        assertSealed(seal, elsewhere(counter)::delete);
        for (String other : similar) {
            if (!other.equals(address)) {
                assertSealed(seal, () -> elsewhere(counter).seal(other));
            }
        }
    }

    private void assertSequenceIsSealed(String address, List<String> similar) {
        Sequence sequence = here().sequence(nameFor(address));
        sequence.next();
        Seal seal = new Seal(address, 1, 1);
        assertThat(sequence.seal(address)).as("the seal that is returned").isEqualTo(seal);
        assertThat(elsewhere(sequence).seal(address))
                .as("the seal that another process returns")
                .isEqualTo(seal);
        assertThat(elsewhere(sequence).tail().seal())
                .as("the seal in the tail in another process")
                .isEqualTo(seal);
        assertStateHas(seal, Kind.SEQUENCE, sequence.name());
        assertSealed(seal, sequence::next);
        for (String other : similar) {
            if (!other.equals(address)) {
                assertSealed(seal, () -> elsewhere(sequence).seal(other));
            }
        }
    }

    /** Returns a name, of the largest length if {@code text} is long. */
    private String nameFor(String text) {
        return text.length() < Limits.MAX_NAME_BYTES / 2 ? name() : SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES);
    }

    private void assertStateHas(Seal seal, Kind kind, String name) {
        assertThat(backend().migration().states(kind, List.of(name), commit()).join())
                .as("the seal of the state")
                .extracting(NameState::seal)
                .containsExactly(seal);
    }

    @Test
    @Rule(
            value = "13.15",
            lookAt = "the length of the column that holds the origin of an import, and whether it is stored")
    final void spec1315_originOfAnImportIsUnchanged() throws Exception {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        MigrationStore other = backend().migration();
        List<TimedTrial> trials = new ArrayList<>();
        for (List<String> similar : addresses()) {
            for (String origin : similar) {
                for (Kind kind : Kind.values()) {
                    trials.add(() -> assertOrigin(into, other, kind, origin, true));
                    trials.add(() -> assertOrigin(into, other, kind, origin, false));
                }
            }
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    private void assertOrigin(MigrationStore into, MigrationStore other, Kind kind, String origin, boolean isPresent) {
        String name = nameFor(origin);
        ImportedState base =
                new ImportedState(origin, isPresent, isPresent ? 2 : 0, isPresent && kind == Kind.SEQUENCE ? 3 : 0);
        assertImport(into, kind, name, base, base);
        assertImport(other, kind, name, kind == Kind.COUNTER ? total(9) : end(9, 9), base);
        assertThat(other.bases(kind, List.of(name), commit()).join()).containsExactly(Optional.of(base));
    }

    @Test
    @Rule(
            value = "13.16",
            lookAt = "where seals, imports and imported subjects are kept: in the store, not in a cache with a limit,"
                    + " or in one document that several threads read and write")
    final void spec1316_manySealsAndImportsAreRemembered() throws Exception {
        if (refusesToMigrate()) {
            return;
        }
        CounterBackend backend = backend();
        int many = timeBox.isFast() ? size(MANY, SOME) : FEW;
        List<String> names = Stream.generate(this::name).limit(many).toList();
        if (declares(Capability.SEAL_COUNTERS)) {
            forEach(names, name -> backend.counters().seal(name, ELSEWHERE, commit()));
            assertStates(Kind.COUNTER, names);
            assertThatExceptionOfType(SealedException.class)
                    .as("an add to the first of %s sealed counters", many)
                    .isThrownBy(() -> there().counter(names.get(0)).add(1));
        }
        if (declares(Capability.SEAL_SEQUENCES)) {
            forEach(names, name -> backend.sequences().seal(name, ELSEWHERE, commit()));
            assertStates(Kind.SEQUENCE, names);
            assertThatExceptionOfType(SealedException.class)
                    .as("an append to the first of %s sealed sequences", many)
                    .isThrownBy(() -> there().sequence(names.get(0)).next());
        }
        if (declares(Capability.IMPORT)) {
            for (Kind kind : Kind.values()) {
                List<String> imported = Stream.generate(this::name).limit(many).toList();
                ImportedState base = kind == Kind.COUNTER ? total(7) : end(9, 3);
                forEach(imported, name -> importing(backend.migration(), kind, name, base));
                assertThat(backend().migration().bases(kind, imported, commit()).join())
                        .as("the imported states of %s names", many)
                        .hasSize(many)
                        .containsOnly(Optional.of(base));
                forEach(imported.subList(0, AT_ONCE), name -> importing(backend.migration(), kind, name, ABSENT));
            }
            String sequence = name();
            imported(backend.migration(), Kind.SEQUENCE, sequence, end(9, 3));
            for (String name : names) { // concurrent ones would contend for the sequence
                backend.migration()
                        .importSubject(sequence, name, true, commit())
                        .join();
            }
            List<Optional<Boolean>> subjects =
                    forEach(names, name -> backend.migration().subject(sequence, name, commit()));
            assertThat(subjects)
                    .as("whether %s imported subjects are live", many)
                    .containsOnly(Optional.of(true));
        }
    }

    /** Calls the store for each name, in several concurrent threads. */
    private <T> List<T> forEach(List<String> names, Function<String, CompletableFuture<T>> call) throws Exception {
        int part = (names.size() + AT_ONCE - 1) / AT_ONCE;
        return tasks()
                .callAtOnce(
                        AT_ONCE,
                        thread -> names.stream()
                                .skip((long) thread * part)
                                .limit(part)
                                .map(call)
                                .map(Futures::join)
                                .toList())
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private void assertStates(Kind kind, List<String> names) {
        assertThat(backend().migration().states(kind, names, commit()).join())
                .as("the seals of %s names", names.size())
                .extracting(NameState::seal)
                .hasSize(names.size())
                .containsOnly(new Seal(ELSEWHERE, 0, 0));
    }
}
