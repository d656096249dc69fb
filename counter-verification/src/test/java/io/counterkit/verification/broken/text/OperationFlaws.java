package io.counterkit.verification.broken.text;

import io.counterkit.Resolution;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Chapter 4, continued: one operation that treats an unusual name in another way than all others do. */
public final class OperationFlaws {
    private OperationFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw(
                        "resets a counter by the first 255 characters of its name",
                        "4.12",
                        "CounterStore.reset",
                        0,
                        OperationFlaws::cut),
                flaw("seals a counter by its name in ASCII", "4.12", "CounterStore.seal", 0, OperationFlaws::ascii),
                flaw(
                        "erases entries by the name in lower case",
                        "4.13",
                        "SequenceStore.erase",
                        0,
                        OperationFlaws::lower),
                flaw(
                        "seals a sequence by the first 255 characters",
                        "4.13",
                        "SequenceStore.seal",
                        0,
                        OperationFlaws::cut),
                flaw(
                        "reads a tail by the name in a normal form",
                        "4.13",
                        "SequenceStore.tail",
                        0,
                        OperationFlaws::normal),
                flaw("imports subjects in ASCII", "4.13", "MigrationStore.importSubject", 1, OperationFlaws::ascii),
                flaw(
                        "looks up imported subjects in lower case",
                        "4.13",
                        "MigrationStore.subject",
                        1,
                        OperationFlaws::lower),
                Flaw.that("resolves the commits of a counter by the first 255 characters of its name", "4.12")
                        .backend(right -> resolving(right, Kind.COUNTER)),
                Flaw.that("resolves the commits of a sequence by the first 255 characters of its name", "4.13")
                        .backend(right -> resolving(right, Kind.SEQUENCE)));
    }

    private static Flaw flaw(String does, String rule, String method, int place, UnaryOperator<String> key) {
        return Flaw.that(does, rule)
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method)
                                ? call.passWith(place, key.apply(call.argument(place)))
                                : call.pass()));
    }

    /** Finds the token of a commit only together with the name that it changed. */
    private static CounterBackend resolving(CounterBackend right, Kind kind) {
        return Intercepted.of(
                right,
                call -> call.method().equals("CounterBackend.resolve")
                                && call.argument(1) instanceof ChangeTarget target
                                && target.kind() == kind
                                && !cut(target.name()).equals(target.name())
                        ? unknown()
                        : call.pass());
    }

    private static CompletableFuture<Resolution> unknown() {
        return Futures.done(new Resolution.NotApplied());
    }

    private static String cut(String name) {
        return name.substring(0, Math.min(name.length(), 255));
    }

    private static String ascii(String name) {
        return name.replaceAll("[^\\x00-\\x7f]", "?");
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String normal(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC);
    }
}
