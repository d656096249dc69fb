package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Chapters 11 and 13, texts: addresses of seals and origins of imports. */
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

    @Test
    @Rule(value = "11.11", lookAt = "the length and the collation of the column that holds the address of a seal")
    final void spec1111_addressOfASealIsUnchanged() {
        if (declares(Capability.SEAL_COUNTERS)) {
            for (String address : TEXTS) {
                Counter counter = counter(3);
                Seal seal = new Seal(address, 3, 3);
                assertThat(counter.seal(address)).isEqualTo(seal);
                assertThat(elsewhere(counter).seal(address)).isEqualTo(seal);
                assertSealed(seal, counter::increment);
                assertSealed(seal, () -> elsewhere(counter).seal(similar(address)));
            }
        }
        if (declares(Capability.SEAL_SEQUENCES)) {
            for (String address : TEXTS) {
                Sequence sequence = sequence();
                sequence.next();
                Seal seal = new Seal(address, 1, 1);
                assertThat(sequence.seal(address)).isEqualTo(seal);
                assertThat(elsewhere(sequence).seal(address)).isEqualTo(seal);
                assertThat(elsewhere(sequence).tail().seal()).isEqualTo(seal);
                assertSealed(seal, sequence::next);
                assertSealed(seal, () -> elsewhere(sequence).seal(similar(address)));
            }
        }
        assertThat(counter(1).get()).isOne();
    }

    /** Returns a text that differs from this one in its last character or in case. */
    private static String similar(String text) {
        String upper = text.toUpperCase(java.util.Locale.ROOT);
        return upper.equals(text) ? text.substring(0, text.length() - 1) + "b" : upper;
    }

    private static void assertSealed(Seal seal, Runnable change) {
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(change::run)
                .satisfies(refused -> assertThat(refused.seal()).isEqualTo(seal));
    }

    @Test
    @Rule(
            value = "13.15",
            lookAt = "the length of the column that holds the origin of an import, and whether it is stored")
    final void spec1315_originOfAnImportIsUnchanged() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        MigrationStore other = backend().migration();
        for (String origin : TEXTS) {
            for (Kind kind : Kind.values()) {
                for (boolean isPresent : List.of(true, false)) {
                    String name = name();
                    ImportedState base = new ImportedState(
                            origin, isPresent, isPresent ? 2 : 0, isPresent && kind == Kind.SEQUENCE ? 3 : 0);
                    assertThat(imported(into, kind, name, base)).isEqualTo(base);
                    assertThat(imported(other, kind, name, kind == Kind.COUNTER ? total(9) : end(9, 9)))
                            .isEqualTo(base);
                    assertThat(other.bases(kind, List.of(name), commit()).join())
                            .containsExactly(Optional.of(base));
                }
            }
        }
    }
}
