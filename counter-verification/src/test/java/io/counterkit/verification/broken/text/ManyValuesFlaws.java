package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Chapters 6, 10 and 13, continued: values that only a batch, a range or a copy of several entries changes; live
 * counts.
 */
public final class ManyValuesFlaws {
    private ManyValuesFlaws() {}

    public static List<Flaw> all() {
        UnaryOperator<Object> doubles = value -> value instanceof Long number ? (Object) (long) (double) number : value;
        UnaryOperator<Object> seconds =
                value -> value instanceof Instant then ? Instant.ofEpochSecond(then.getEpochSecond()) : value;
        UnaryOperator<Object> zeros = value -> value instanceof Double number ? (Object) (number + 0.0) : value;
        return List.of(
                inBatches("stores numbers in floating point in a batch of appends", doubles),
                inBatches("stores times in seconds in a batch of appends", seconds),
                inRanges("reads negative zero as zero in a range of several entries", zeros),
                inRanges("reads times in seconds in a range of several entries", seconds),
                inCopies("stores numbers in floating point in a copy of several entries", doubles),
                inCopies("stores negative zero as zero in a copy of several entries", zeros),
                Flaw.that("copies live counts in 32 bits", "13.8")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("MigrationStore.copy")
                                        ? call.passWith(
                                                1,
                                                copied(call).stream()
                                                        .map(entry -> new Entry(
                                                                entry.number(),
                                                                entry.appendedAt(),
                                                                entry.change(),
                                                                entry.subject(),
                                                                entry.fields(),
                                                                (int) entry.liveCount(),
                                                                entry.erased()))
                                                        .toList())
                                        : call.pass())),
                Flaw.that("imports a negative live count as 0", "6.7")
                        .backend(right -> Intercepted.of(right, ManyValuesFlaws::importPositive)));
    }

    private static CompletableFuture<?> importPositive(Sent call) {
        if (!call.method().equals("MigrationStore.importBase") || call.argument(0) != Kind.SEQUENCE) {
            return call.pass();
        }
        ImportedState base = call.argument(2);
        return call.passWith(
                2, new ImportedState(base.origin(), base.isPresent(), Math.max(0, base.value()), base.last()));
    }

    private static List<Entry> copied(Sent copy) {
        return copy.argument(1);
    }

    private static Flaw inBatches(String does, UnaryOperator<Object> stored) {
        return Flaw.that(does, "10.17")
                .backend(right -> Intercepted.of(right, call -> {
                    if (!call.method().equals("SequenceStore.append")) {
                        return call.pass();
                    }
                    List<AppendRequest> requests = call.argument(1);
                    return requests.size() == 1
                            ? call.pass()
                            : call.passWith(
                                    1,
                                    requests.stream()
                                            .map(request -> new AppendRequest(
                                                    request.change(),
                                                    request.subject(),
                                                    changed(request.fields(), stored),
                                                    request.token()))
                                            .toList());
                }));
    }

    private static Flaw inRanges(String does, UnaryOperator<Object> read) {
        return Flaw.that(does, "10.17")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals("SequenceStore.read")
                                ? call.<List<Entry>>passOn()
                                        .thenApply(entries -> entries.size() == 1 ? entries : changed(entries, read))
                                : call.pass()));
    }

    private static Flaw inCopies(String does, UnaryOperator<Object> stored) {
        return Flaw.that(does, "10.17")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals("MigrationStore.copy")
                                        && copied(call).size() > 1
                                ? call.passWith(1, changed(copied(call), stored))
                                : call.pass()));
    }

    private static List<Entry> changed(List<Entry> entries, UnaryOperator<Object> change) {
        return entries.stream()
                .map(entry -> new Entry(
                        entry.number(),
                        entry.appendedAt(),
                        entry.change(),
                        entry.subject(),
                        changed(entry.fields(), change),
                        entry.liveCount(),
                        entry.erased()))
                .toList();
    }

    private static Map<String, Object> changed(Map<String, Object> fields, UnaryOperator<Object> change) {
        Map<String, Object> changed = new HashMap<>();
        fields.forEach((name, value) -> changed.put(name, change.apply(value)));
        return changed;
    }
}
