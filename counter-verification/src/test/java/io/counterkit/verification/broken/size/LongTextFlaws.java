package io.counterkit.verification.broken.size;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.spi.AppendRequest;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Chapter 10, continued: documents that have room for many short texts, but not for as many long ones. */
public final class LongTextFlaws {
    private static final int ROOM = 256 * 1024;

    private LongTextFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("remembers 256 KiB of subjects of a sequence", "10.18")
                        .backend(Document::new, (right, kept) -> Intercepted.of(right, call -> subjects(kept, call))),
                Flaw.that("remembers 256 KiB of the tokens of appends", "10.18")
                        .backend(Document::new, (right, kept) -> Intercepted.of(right, call -> tokens(kept, call))));
    }

    private static CompletableFuture<?> subjects(Document kept, Sent call) {
        if (call.method().equals("SequenceStore.append")) {
            for (AppendRequest request : call.<List<AppendRequest>>argument(1)) {
                String subject = request.subject();
                if (subject != null && !kept.holds(call.argument(0) + "/" + subject)) {
                    return CompletableFuture.failedFuture(new NotAppliedException("the subject is not known"));
                }
            }
        }
        return call.pass();
    }

    private static CompletableFuture<?> tokens(Document kept, Sent call) {
        if (call.method().equals("SequenceStore.append")) {
            for (AppendRequest request : call.<List<AppendRequest>>argument(1)) {
                IdempotencyToken token = request.token();
                boolean unused = token == null || kept.holds(token.value());
            }
        }
        return call.method().equals("CounterBackend.resolve")
                        && kept.hasDropped(call.<IdempotencyToken>argument(0).value())
                ? CompletableFuture.completedFuture(new Resolution.NotApplied())
                : call.pass();
    }

    /** A document that drops its oldest texts if it becomes too large. */
    private static final class Document {
        private final Deque<String> texts = new ArrayDeque<>();
        private final Set<String> all = new HashSet<>();
        private final Set<String> dropped = new HashSet<>();
        private int size;

        /** Adds a text that is new. Returns false if it was dropped. */
        synchronized boolean holds(String text) {
            if (all.add(text)) {
                texts.addLast(text);
                size += text.length();
                while (size > ROOM) {
                    String oldest = texts.removeFirst();
                    size -= oldest.length();
                    dropped.add(oldest);
                }
            }
            return !dropped.contains(text);
        }

        synchronized boolean hasDropped(String text) {
            return dropped.contains(text);
        }
    }
}
