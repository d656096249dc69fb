package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Chapter 10, continued: texts of an application that are read as values of another type. */
public final class TypedTextFlaws {
    private TypedTextFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                taking("a type and a colon", text -> text.matches("(l|i|d|b|long|double|boolean|bytes):.*")),
                taking("the prefix of bytes in base 64", text -> text.startsWith("base64:")),
                taking("the prefix of bytes in hexadecimal", text -> text.startsWith("\\x")),
                taking("the word NULL", text -> text.equals("NULL")),
                taking("a date", text -> text.matches("\\d{4}-\\d\\d-\\d\\d")),
                taking("a type of JSON with a dollar sign", text -> text.startsWith("{\"$")));
    }

    /** Returns a flaw that reads some texts as zero. */
    private static Flaw taking(String what, Predicate<String> isTaken) {
        return Flaw.that("takes " + what + " in a text for a value of another type", "10.17")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals("SequenceStore.read")
                                ? call.<List<Entry>>passOn()
                                        .thenApply(entries -> entries.stream()
                                                .map(entry -> converted(entry, isTaken))
                                                .toList())
                                : call.pass()));
    }

    private static Entry converted(Entry entry, Predicate<String> isTaken) {
        Map<String, Object> fields = new HashMap<>(entry.fields());
        fields.replaceAll((name, value) -> value instanceof String text && isTaken.test(text) ? 0L : value);
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                fields,
                entry.liveCount(),
                entry.erased());
    }
}
