package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;

/** Chapter 10, continued: encodings that make keys and entries longer than the store allows. */
public final class KeyLengthFlaws {
    private static final int LONGEST_KEY = 1_500;
    private static final int LONGEST_VALUE = 64 * 1024;

    private KeyLengthFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("joins sequence and subject into one escaped key", "10.24")
                        .sequences(store -> new Refuses(store, KeyLengthFlaws::hasLongKey)),
                Flaw.that("stores fields as JSON in a short column", "10.11")
                        .sequences(store -> new Refuses(store, KeyLengthFlaws::hasLongValue)));
    }

    private static boolean hasLongKey(String sequence, AppendRequest request) {
        String subject = request.subject();
        return subject != null && escaped(sequence) + escaped(subject) > LONGEST_KEY;
    }

    private static int escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).length();
    }

    private static boolean hasLongValue(String sequence, AppendRequest request) {
        return request.fields().values().stream()
                        .filter(String.class::isInstance)
                        .flatMapToInt(text -> ((String) text).chars())
                        .map(c -> c < ' ' ? "\\u0000".length() : c == '"' || c == '\\' ? 2 : 1)
                        .sum()
                > LONGEST_VALUE;
    }

    private static final class Refuses extends ForwardingSequenceStore {
        private final BiPredicate<String, AppendRequest> isTooLong;

        Refuses(SequenceStore store, BiPredicate<String, AppendRequest> isTooLong) {
            super(store);
            this.isTooLong = isTooLong;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return requests.stream().anyMatch(request -> isTooLong.test(sequence, request))
                    ? CompletableFuture.failedFuture(new NotAppliedException("too long"))
                    : store.append(sequence, requests, commit);
        }
    }
}
