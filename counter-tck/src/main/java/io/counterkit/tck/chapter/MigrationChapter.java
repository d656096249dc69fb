package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The base class of the chapters on sealing and importing. If a backend does not declare the capability of a test, the
 * test checks that the operation is refused.
 */
public abstract class MigrationChapter extends Chapter {
    protected static final String ELSEWHERE = "appengine";
    protected static final ImportedState ABSENT = new ImportedState(ELSEWHERE, false, 0, 0);

    protected static ImportedState total(long total) {
        return new ImportedState(ELSEWHERE, true, total, 0);
    }

    /** Returns an imported counter whose total is below the range. */
    protected final Counter below() {
        Counter counter = counter();
        imported(backend().migration(), Kind.COUNTER, counter.name(), total(-Limits.MAX_TOTAL));
        counter.add(-1);
        return counter;
    }

    /** Seals a sequence, and checks the seal in every answer. */
    protected final void assertSealed(String sequence, Seal seal) {
        List<String> names = List.of(sequence);
        assertThat(here().sequence(sequence).seal(seal.forward()))
                .as("the seal that is returned")
                .isEqualTo(seal);
        assertThat(there().sequence(sequence).tail().seal())
                .as("the seal of the tail")
                .isEqualTo(seal);
        assertThat(backend().migration().states(Kind.SEQUENCE, names, commit()).join())
                .extracting(NameState::seal)
                .as("the seal of the state")
                .containsExactly(seal);
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(there().sequence(sequence)::next)
                .extracting(SealedException::seal)
                .as("the seal of a refused append")
                .isEqualTo(seal);
    }

    /** Returns false if sealing is declared; otherwise checks that it is refused and changes nothing. */
    protected final boolean refusesToSeal(Sequence sequence) {
        if (declares(Capability.SEAL_SEQUENCES)) {
            return false;
        }
        Tail before = sequence.tail();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> sequence.seal(ELSEWHERE))
                .withMessageContaining("seal");
        assertUnsupported(() -> backend().sequences().seal(sequence.name(), ELSEWHERE, commit()));
        assertTailElsewhere(sequence, before);
        appendNumber(sequence, before.last() + 1);
        return true;
    }

    protected final boolean refusesToSeal(Counter counter) {
        if (declares(Capability.SEAL_COUNTERS)) {
            return false;
        }
        long before = counter.get();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> counter.seal(ELSEWHERE))
                .withMessageContaining("seal");
        assertUnsupported(() -> backend().counters().seal(counter.name(), ELSEWHERE, commit()));
        assertTotalElsewhere(counter, before);
        counter.increment();
        assertTotal(counter, before + 1);
        return true;
    }

    /** Checks that a change fails because of this seal. */
    protected static void assertSealed(Seal seal, Runnable change) {
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(change::run)
                .satisfies(refused -> assertThat(refused.seal()).isEqualTo(seal));
    }

    protected static ImportedState end(long last, long liveCount) {
        return new ImportedState(ELSEWHERE, true, liveCount, last);
    }

    /** Returns an entry of the other store. */
    protected static Entry entry(long number, Map<String, Object> fields) {
        Instant then = Instant.parse("2009-11-16T08:09:10.123Z").plusMillis(number % 1_000_000);
        return new Entry(number, then, Change.ADDED, "s" + number, fields, number, false);
    }

    protected final CompletableFuture<ImportedState> importing(
            MigrationStore into, Kind kind, String name, ImportedState base) {
        return into.importBase(kind, name, base, commit());
    }

    protected final ImportedState imported(MigrationStore into, Kind kind, String name, ImportedState base) {
        return importing(into, kind, name, base).join();
    }

    /** Imports a name and checks the state that the import returns. */
    protected final void assertImport(
            MigrationStore into, Kind kind, String name, ImportedState base, ImportedState expected) {
        assertThat(imported(into, kind, name, base))
                .as("the state that the import of %s returns", base)
                .isEqualTo(expected);
    }

    protected static void assertNotApplied(CompletableFuture<?> refused) {
        assertThat(catchThrowable(refused::join))
                .as("the refusal of an import")
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NotAppliedException.class);
    }

    /**
     * Returns false if importing is declared; otherwise checks that it is refused and changes nothing, and returns
     * true.
     */
    protected final boolean refusesToImport() {
        if (declares(Capability.IMPORT)) {
            return false;
        }
        CounterBackend backend = backend();
        Counter counter = counter();
        Sequence sequence = sequence();
        String name = sequence.name();
        assertUnsupported(() -> importing(backend.migration(), Kind.COUNTER, counter.name(), total(5)));
        assertUnsupported(() -> importing(backend.migration(), Kind.SEQUENCE, name, end(40, 17)));
        assertUnsupported(() -> backend.migration().importSubject(name, "s", true, commit()));
        assertUnsupported(() -> backend.migration().copy(name, List.of(entry(1, Map.of())), commit()));
        assertThat(elsewhere(counter).get()).as("the total in another process").isZero();
        assertThat(elsewhere(sequence).tail()).as("the tail in another process").isEqualTo(Tail.EMPTY);
        sequence.append(Change.ADDED, "s", Map.of());
        assertThat(sequence.read(1, 9)).hasSize(1);
        return true;
    }

    /** Returns false if names can be moved in or out; otherwise checks that this is refused, and returns true. */
    protected final boolean refusesToMigrate() {
        if (declares(Capability.IMPORT) || declares(Capability.SEAL_COUNTERS) || declares(Capability.SEAL_SEQUENCES)) {
            return false;
        }
        CounterBackend backend = backend();
        assertUnsupported(() -> backend.migration().states(Kind.COUNTER, List.of(name()), commit()));
        assertUnsupported(() -> backend.migration().subject(name(), "s", commit()));
        return refusesToImport();
    }
}
