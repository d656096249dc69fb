package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.model.ListedNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Chapter 12, continued: processes whose JVMs have other default locales and time zones. */
public abstract class DefaultsChapter extends MigrationChapter {
    /** Locales with other letters and digits, and time zones in which an hour occurs twice a year, or is missing. */
    private static final List<Defaults> OTHERS = List.of(
            new Defaults("tr-TR", "Europe/Berlin"),
            new Defaults("ar-EG-u-nu-arab", "America/New_York"),
            new Defaults("th-TH-u-ca-buddhist-nu-thai", "Asia/Kathmandu"));

    private static final Map<String, Object> FIELDS = Map.of(
            "TITLE",
            "I i \u0130 \u0131",
            "number",
            -1_234_567L,
            "double",
            -1234.5,
            "first 2:30 in Berlin",
            Instant.parse("2024-10-27T00:30:00.123Z"),
            "second 2:30 in Berlin",
            Instant.parse("2024-10-27T01:30:00.123Z"),
            "first 1:30 in New York",
            Instant.parse("2024-11-03T05:30:00Z"),
            "second 1:30 in New York",
            Instant.parse("2024-11-03T06:30:00Z"),
            "2:30 of the day without that hour in Berlin",
            Instant.parse("2024-03-31T02:30:00Z"));

    private static final long DELTA = 1_234_567;

    /** The default locale and time zone of a JVM. */
    private record Defaults(Locale locale, TimeZone zone) {
        Defaults(String locale, String zone) {
            this(Locale.forLanguageTag(locale), TimeZone.getTimeZone(zone));
        }
    }

    /**
     * The defaults of this JVM. Several runs of the kit may change them at once; after the last one, they are as they
     * were before the first. The locale of texts for people stays, since libraries choose it for as long as they live.
     */
    private static final class DefaultsOfJvm {
        private static int changes;
        private static Locale locale = Locale.ROOT;
        private static Locale format = Locale.ROOT;
        private static Locale display = Locale.ROOT;
        private static TimeZone zone = TimeZone.getDefault();

        static synchronized void change(Defaults other) {
            if (changes == 0) {
                locale = Locale.getDefault();
                format = Locale.getDefault(Locale.Category.FORMAT);
                display = Locale.getDefault(Locale.Category.DISPLAY);
                zone = TimeZone.getDefault();
            }
            changes++;
            set(other.locale(), other.locale(), other.zone());
        }

        static synchronized void restore() {
            changes--;
            if (changes == 0) {
                set(locale, format, zone);
            }
        }

        private static void set(Locale all, Locale formats, TimeZone times) {
            Locale.setDefault(all);
            Locale.setDefault(Locale.Category.FORMAT, formats);
            Locale.setDefault(Locale.Category.DISPLAY, display);
            TimeZone.setDefault(times);
        }
    }

    @Test
    @Rule(
            value = "12.9",
            lookAt = "texts that are formatted, parsed or changed in case without a locale, such as keys with digits;"
                    + " times that are stored or read as local times of the JVM")
    @ResourceLock(Resources.LOCALE)
    @ResourceLock(Resources.TIME_ZONE)
    final void spec1209_processesWithOtherDefaultsSeeTheSame() {
        Scene scene = new Scene(name() + "/TITLE I i");
        CounterBackend first = backend();
        scene.use(first, here());
        for (Defaults other : OTHERS) {
            scene.useWith(other);
        }
        scene.check(first, here());
        scene.check(backend(), there());
    }

    /** A counter and a sequence, which each process uses in the same way. */
    private final class Scene {
        private final String name;
        private final List<IdempotencyToken> tokens = new ArrayList<>();
        private final List<Entry> entries = new ArrayList<>();
        private final List<NameState> states = new ArrayList<>();
        private final Entry copy =
                new Entry(1, entry(1, Map.of()).appendedAt(), Change.ADDED, "COPY I", FIELDS, 1, false);

        Scene(String name) {
            this.name = name;
        }

        /** Uses both in a process whose JVM has other defaults, and restores those of this JVM. */
        void useWith(Defaults other) {
            DefaultsOfJvm.change(other);
            try {
                use(backend(), connect());
            } finally {
                DefaultsOfJvm.restore();
            }
        }

        /** Checks what is stored, and makes the same changes as every other process. */
        void use(CounterBackend backend, Counters process) {
            check(backend, process);
            IdempotencyToken token = IdempotencyToken.of(name + "/" + tokens.size());
            process.counter(name).add(DELTA, token);
            Change change = entries.isEmpty() ? Change.ADDED : Change.UPDATED;
            entries.add(process.sequence(name).append(change, "SUBJECT I", FIELDS, ofAppend(token)));
            tokens.add(token);
            if (declares(Capability.IMPORT) && tokens.size() == 1) {
                imported(backend.migration(), Kind.SEQUENCE, name + "/imported", end(1, 1));
                backend.migration()
                        .copy(name + "/imported", List.of(copy), commit())
                        .join();
            }
            if (declares(Capability.SEAL_COUNTERS) && tokens.size() == 1) {
                process.counter(name + "/sealed").seal("ELSEWHERE I");
                states.addAll(states(backend));
            }
            check(backend, process);
        }

        private IdempotencyToken ofAppend(IdempotencyToken token) {
            return IdempotencyToken.of(token.value() + "/append I");
        }

        void check(CounterBackend backend, Counters process) {
            Sequence sequence = process.sequence(name);
            assertThat(process.counter(name).get())
                    .as("the total, read with %s and %s", Locale.getDefault(), zone())
                    .isEqualTo(DELTA * tokens.size());
            assertThat(sequence.read(1, 9))
                    .as("the entries, read with %s and %s", Locale.getDefault(), zone())
                    .isEqualTo(entries);
            for (int i = 0; i < tokens.size(); i++) {
                IdempotencyToken token = tokens.get(i);
                process.counter(name).add(DELTA, token);
                assertThat(process.resolve(token)).isEqualTo(new Resolution.Added(name, DELTA));
                Change change = i == 0 ? Change.ADDED : Change.UPDATED;
                assertThat(sequence.append(change, "SUBJECT I", Map.of(), ofAppend(token)))
                        .as("the entry of a repeated append, with %s and %s", Locale.getDefault(), zone())
                        .isEqualTo(entries.get(i));
            }
            if (!tokens.isEmpty()) {
                awaitLists(
                        () -> assertThat(ListedNames.ofCounters(process, name)).containsExactly(name));
                if (declares(Capability.IMPORT)) {
                    assertThat(process.sequence(name + "/imported").read(1, 9))
                            .as("the copied entry, read with %s and %s", Locale.getDefault(), zone())
                            .containsExactly(copy);
                }
                if (declares(Capability.SEAL_COUNTERS)) {
                    assertThat(states(backend))
                            .as("the seal and its time, read with %s and %s", Locale.getDefault(), zone())
                            .isEqualTo(states);
                }
            }
        }

        private String zone() {
            return TimeZone.getDefault().getID();
        }

        private List<NameState> states(CounterBackend backend) {
            return backend.migration()
                    .states(Kind.COUNTER, List.of(name + "/sealed"), commit())
                    .join();
        }
    }
}
