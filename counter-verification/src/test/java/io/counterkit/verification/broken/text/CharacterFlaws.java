package io.counterkit.verification.broken.text;

import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ImportedState;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Chapters 5, 9, 10, 11 and 13, continued: characters, of any script, that are taken for others. */
public final class CharacterFlaws {
    private CharacterFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                TextFlaws.names("treats digits of other scripts in names as plain ones", CharacterFlaws::plainDigits),
                TextFlaws.names("ignores invisible characters in names", CharacterFlaws::visible),
                TextFlaws.names("removes dots from paths in names", text -> text.replace("/./", "/")),
                TextFlaws.tokens(
                        "treats ligatures in tokens as two letters",
                        text -> text.replace("\u00e6", "ae").replace("\u0153", "oe")),
                TextFlaws.tokens(
                        "folds the case of tokens in other scripts only",
                        text -> text.codePoints()
                                .map(letter -> letter < 0x370 ? letter : Character.toLowerCase(letter))
                                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                                .toString()),
                TextFlaws.subjects(
                        "orders the marks of subjects",
                        text -> Normalizer.isNormalized(text, Normalizer.Form.NFD)
                                ? text
                                : Normalizer.normalize(text, Normalizer.Form.NFD)),
                addresses("removes a slash at the end of an address", text -> text.replaceAll("(.)/$", "$1")),
                addresses("treats a plus sign in an address as a blank", text -> text.replace('+', ' ')),
                addresses("treats a backslash in an address as a slash", text -> text.replace('\\', '/')),
                origins("normalises the origin of an import", text -> Normalizer.normalize(text, Normalizer.Form.NFC)),
                fieldNames(
                        "treats kana of both kinds in field names as the same",
                        text -> text.replace('\u30a2', '\u3042')),
                fieldNames(
                        "decodes escapes in field names",
                        text -> text.replace("%41", "A").replace("%2F", "/")));
    }

    private static String plainDigits(String text) {
        return text.codePoints()
                .map(letter -> Character.digit(letter, 10) >= 0 ? '0' + Character.digit(letter, 10) : letter)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String visible(String text) {
        return text.codePoints()
                .filter(letter -> letter < 0x80 || !Character.isIdentifierIgnorable(letter))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static Flaw addresses(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "11.11")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().endsWith(".seal")
                                ? call.passWith(1, key.apply(call.argument(1)))
                                : call.pass()));
    }

    private static Flaw origins(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "13.15")
                .backend(right -> Intercepted.of(right, call -> {
                    if (!call.method().equals("MigrationStore.importBase")) {
                        return call.pass();
                    }
                    ImportedState base = call.argument(2);
                    return call.passWith(
                            2,
                            new ImportedState(key.apply(base.origin()), base.isPresent(), base.value(), base.last()));
                }));
    }

    static Flaw fieldNames(String does, UnaryOperator<String> key) {
        return Flaw.that(does, "10.16")
                .backend(right -> Intercepted.of(right, call -> {
                    if (!call.method().equals("SequenceStore.append")) {
                        return call.pass();
                    }
                    List<AppendRequest> requests = call.argument(1);
                    return call.passWith(
                            1,
                            requests.stream()
                                    .map(request -> new AppendRequest(
                                            request.change(),
                                            request.subject(),
                                            renamed(request.fields(), key),
                                            request.token()))
                                    .toList());
                }));
    }

    private static Map<String, Object> renamed(Map<String, Object> fields, UnaryOperator<String> key) {
        Map<String, Object> renamed = new HashMap<>();
        fields.forEach((name, value) -> renamed.put(key.apply(name), value));
        return renamed;
    }
}
