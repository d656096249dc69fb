package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.internal.request.BatchReadings;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Result;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests tokens, seals, readings, entries and other values. */
class ValuesTest {
    private static final Reading FIVE = new Reading(5, Instant.EPOCH, Duration.ZERO);

    @Test
    void tokenHas1To512Bytes() {
        String longest = "x".repeat(512);
        assertThat(IdempotencyToken.of(longest).value()).isEqualTo(longest);
        assertThat(IdempotencyToken.of("x"))
                .isEqualTo(new IdempotencyToken("x"))
                .hasToString("x");

        assertThatThrownBy(() -> IdempotencyToken.of("")).hasMessage("token is empty: use 1 to 512 UTF-8 bytes");
        assertThatThrownBy(() -> IdempotencyToken.of(longest + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("513 UTF-8 bytes")
                .hasMessageContaining("at most 512");
        assertThatThrownBy(() -> IdempotencyToken.of("ü".repeat(257))).hasMessageContaining("514");
        assertThatThrownBy(() -> IdempotencyToken.of("a\tb")).hasMessageContaining("token 'aU+0009b'");
        assertThatThrownBy(() -> IdempotencyToken.of("\uDE00")).hasMessageContaining("lone surrogate U+DE00");
        assertThatThrownBy(() -> IdempotencyToken.of(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void randomTokensDiffer() {
        assertThat(IdempotencyToken.random()).isNotEqualTo(IdempotencyToken.random());
    }

    @Test
    void seal_requiresAnAddress() {
        assertThat(new Seal("new", 0, 0).forward()).isEqualTo("new");
        assertThatThrownBy(() -> new Seal("", 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("forward is empty");
        assertThatThrownBy(() -> new Seal(null, 1, 1)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void sealedException_namesTheAddress() {
        Seal seal = new Seal("firestore:likes", 12, 3);
        SealedException sealed = new SealedException("likes", seal);

        assertThat(sealed.seal()).isEqualTo(seal);
        assertThat(sealed).hasMessage("'likes' was sealed at 12 and continues at 'firestore:likes'");
    }

    @Test
    void sealedException_keepsItsSealWhenItIsSerialized() throws IOException, ClassNotFoundException {
        SealedException sealed = new SealedException("likes", new Seal("firestore:likes", 12, 3));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(sealed);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((SealedException) in.readObject()).seal()).isEqualTo(sealed.seal());
        }
    }

    @Test
    void readings_haveAValueOrFailurePerCounter() {
        CorruptDataException scrambled = new CorruptDataException("scrambled");
        Readings readings = BatchReadings.of(
                List.of("likes", "views"), List.of(Result.of(FIVE), Result.failed(scrambled)), (name, reading) -> {});

        assertThat(readings.get("likes")).isEqualTo(FIVE);
        assertThat(readings.values()).isEqualTo(Map.of("likes", 5L));
        assertThat(readings.failures()).isEqualTo(Map.of("views", scrambled));
        assertThatThrownBy(() -> readings.get("views")).isSameAs(scrambled);
        assertThatThrownBy(() -> readings.get("stars"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'stars' was not among the 2 counters that were read");
        assertThat(readings).hasToString("{likes=5}, not read: {views=" + scrambled + "}");
        assertThatThrownBy(() -> readings.failures().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void readings_keepTheOrderOfTheRequest() {
        List<String> names = List.of("z", "a", "m", "b", "y", "c");

        Readings readings = BatchReadings.of(
                names, names.stream().map(name -> Result.of(FIVE)).toList(), (name, reading) -> {});

        assertThat(readings.values().keySet()).containsExactlyElementsOf(names);
    }

    @Test
    void entry_copiesItsFields() {
        byte[] scan = {1, 2};
        Entry entry = new Entry(1, Instant.EPOCH, Change.ADDED, "s", Map.of("scan", scan), 1, false);

        scan[0] = 9;

        assertThat((byte[]) entry.fields().get("scan")).containsExactly(1, 2);
        assertThat(entry.withoutFields()).isEqualTo(new Entry(1, Instant.EPOCH, Change.ADDED, "s", Map.of(), 1, true));
    }

    @Test
    void entry_sharesTheCopyOfItsRequest() {
        AppendRequest request = AppendRequest.of(Map.of("scan", new byte[] {1, 2}, "total", 5L), null);
        Entry entry = entry(1, "s", request.fields());

        assertThat(entry.fields()).isSameAs(request.fields());
    }

    @Test
    void arraysOfAnEntry_areCopiesForEachReader() {
        AppendRequest request = AppendRequest.of(Map.of("scan", new byte[] {1, 2}, "total", 5L), null);
        Entry entry = entry(1, "s", request.fields());

        ((byte[]) entry.fields().get("scan"))[0] = 9;
        ((byte[]) entry.fields().getOrDefault("scan", 0L))[0] = 9;
        entry.fields().values().forEach(ValuesTest::change);
        entry.fields().entrySet().forEach(field -> change(field.getValue()));
        entry.fields().forEach((name, value) -> change(value));
        entry.fields().entrySet().stream().map(Map.Entry::getValue).forEach(ValuesTest::change);

        assertThat((byte[]) entry.fields().get("scan")).containsExactly(1, 2);
        assertThat((byte[]) request.fields().get("scan")).containsExactly(1, 2);
        assertThat(entry).isEqualTo(entry(1, "s", Map.of("scan", new byte[] {1, 2}, "total", 5L)));
    }

    private static void change(Object value) {
        if (value instanceof byte[] bytes) {
            bytes[0] = 9;
        }
    }

    @Test
    void entries_compareAllComponents() {
        Entry entry = entry(1, "s", Map.of("scan", new byte[] {1, 2}, "total", 5L));

        assertThat(entry)
                .isEqualTo(entry(1, "s", Map.of("scan", new byte[] {1, 2}, "total", 5L)))
                .hasSameHashCodeAs(entry(1, "s", Map.of("scan", new byte[] {1, 2}, "total", 5L)))
                .isNotEqualTo(entry(1, "s", Map.of("scan", new byte[] {1, 3}, "total", 5L)))
                .isNotEqualTo(entry(1, "s", Map.of("scan", new byte[] {1, 2})))
                .isNotEqualTo(entry(1, "s", Map.of("scan", new byte[] {1, 2}, "sum", 5L)))
                .isNotEqualTo(entry(2, "s", entry.fields()))
                .isNotEqualTo(entry(1, null, entry.fields()))
                .isNotEqualTo(entry.withoutFields())
                .isNotEqualTo("an entry");
    }

    private static Entry entry(long number, String subject, Map<String, Object> fields) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, subject, fields, 1, false);
    }

    @Test
    void changes_haveTheirDelta() {
        assertThat(Change.values()).extracting(Change::delta).containsExactly(1, 0, -1);
    }

    @Test
    void namePage_copiesItsNames() {
        List<String> names = new ArrayList<>(List.of("a"));
        NamePage page = new NamePage(names, null);

        names.add("b");

        assertThat(page.names()).containsExactly("a");
    }

    @Test
    void applied_isFalseForNotAppliedOnly() {
        assertThat(new Resolution.Added("likes", 1).applied()).isTrue();
        assertThat(new Resolution.Appended("invoices", 1).applied()).isTrue();
        assertThat(new Resolution.Done("likes").applied()).isTrue();
        assertThat(new Resolution.NotApplied().applied()).isFalse();
    }

    @Test
    void everyException_hasItsOutcome() {
        IdempotencyToken token = IdempotencyToken.of("order-1");

        assertThat(new OutcomeUnknownException("m", token, null).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(List.<CounterException>of(
                        new NotAppliedException("m"),
                        new ContentionException("m"),
                        new QueueFullException("m"),
                        new CorruptDataException("m"),
                        new CounterOverflowException("m"),
                        new TokenRefusedException("m"),
                        new ChangeRefusedException("m"),
                        new SealedException("n", new Seal("f", 0, 0))))
                .extracting(CounterException::outcome)
                .containsOnly(Outcome.NOT_APPLIED);
        assertThatThrownBy(() -> new OutcomeUnknownException("m", null, null)).isInstanceOf(NullPointerException.class);
    }
}
