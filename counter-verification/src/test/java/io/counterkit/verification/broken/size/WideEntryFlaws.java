package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Chapters 10 and 13, continued: limits of a store that only entries with many fields reach. */
public final class WideEntryFlaws {
    private static final int NAMES = 16 * 1024;
    private static final int COPIED_FIELDS = 1_000;
    private static final int READ_FIELDS = 5_000;

    private WideEntryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw(
                        "fails to append an entry whose field names have more than 16 KiB",
                        "10.11",
                        "SequenceStore.append",
                        call -> call.<List<AppendRequest>>argument(1).stream()
                                        .anyMatch(request -> lengthOfNames(request.fields()) > NAMES)
                                ? CompletableFuture.failedFuture(new IllegalStateException("the row is too large"))
                                : call.pass()),
                flaw(
                        "drops the fields of a copy beyond 1,000",
                        "13.18",
                        "MigrationStore.copy",
                        call -> call.passWith(1, withFields(call.argument(1), COPIED_FIELDS))),
                flaw(
                        "reads no more than 5,000 fields of a range",
                        "13.18",
                        "SequenceStore.read",
                        call -> call.<List<Entry>>passOn().thenApply(entries -> withFields(entries, READ_FIELDS))));
    }

    private static Flaw flaw(String does, String rule, String method, Function<Sent, CompletableFuture<?>> wrong) {
        return Flaw.that(does, rule)
                .backend(right ->
                        Intercepted.of(right, call -> call.method().equals(method) ? wrong.apply(call) : call.pass()));
    }

    private static int lengthOfNames(Map<String, Object> fields) {
        return fields.keySet().stream()
                .mapToInt(name -> name.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    private static List<Entry> withFields(List<Entry> entries, int most) {
        int room = most;
        List<Entry> changed = new ArrayList<>();
        for (Entry entry : entries) {
            Map<String, Object> fields = new HashMap<>();
            for (Map.Entry<String, Object> field : entry.fields().entrySet()) {
                if (room-- > 0) {
                    fields.put(field.getKey(), field.getValue());
                }
            }
            changed.add(new Entry(
                    entry.number(),
                    entry.appendedAt(),
                    entry.change(),
                    entry.subject(),
                    fields,
                    entry.liveCount(),
                    entry.erased()));
        }
        return changed;
    }
}
