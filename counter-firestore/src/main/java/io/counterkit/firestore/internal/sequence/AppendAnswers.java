package io.counterkit.firestore.internal.sequence;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The results of the appends of one commit. A request without a result is open, and is sent again. */
final class AppendAnswers {
    private final TokenStore tokens;
    private final EntryReader entries;
    private final String sequence;
    private final List<AppendRequest> requests;
    private final Commit commit;
    private final Map<Integer, Result<Entry>> results = new HashMap<>();

    AppendAnswers(
            TokenStore tokens, EntryReader entries, String sequence, List<AppendRequest> requests, Commit commit) {
        this.tokens = tokens;
        this.entries = entries;
        this.sequence = sequence;
        this.requests = requests;
        this.commit = commit;
    }

    /** Returns the answer to each request. */
    List<Result<Entry>> all() {
        return IntStream.range(0, requests.size())
                .mapToObj(index -> Objects.requireNonNull(results.get(index)))
                .toList();
    }

    /** Returns the indexes of the requests without an answer. */
    List<Integer> open() {
        return IntStream.range(0, requests.size())
                .filter(index -> !results.containsKey(index))
                .boxed()
                .toList();
    }

    void put(int index, Result<Entry> result) {
        results.put(index, result);
    }

    void fail(List<Integer> indexes, CounterException failure) {
        indexes.forEach(index -> put(index, Result.failed(failure)));
    }

    void fail(Map<Integer, ? extends CounterException> failures) {
        failures.forEach((index, failure) -> put(index, Result.failed(failure)));
    }

    /** Answers requests with the entries of the numbers that they got. */
    CompletableFuture<Void> answerWith(Map<Integer, Long> numbers) {
        return entries.read(sequence, Set.copyOf(numbers.values()), commit)
                .thenAccept(read -> numbers.forEach(
                        (index, number) -> put(index, Result.of(Objects.requireNonNull(read.get(number))))));
    }

    /** Answers the requests whose own token was applied before or refused. Returns whether there were any. */
    CompletableFuture<Boolean> answerRepeated(List<Integer> indexes) {
        TreeMap<Integer, IdempotencyToken> asked = new TreeMap<>();
        for (int index : indexes) {
            IdempotencyToken token = requests.get(index).token();
            if (token != null) {
                asked.put(index, token);
            }
        }
        return tokens.read(asked.values(), commit).thenCompose(found -> {
            Map<Integer, Long> numbers = new HashMap<>();
            asked.forEach((index, token) -> {
                TokenDocument document = found.get(token);
                if (document != null && document.isFor(sequence, requests.get(index))) {
                    numbers.put(index, document.number());
                } else if (document != null) {
                    put(index, Result.failed(refused(token, document)));
                }
            });
            return answerWith(numbers).thenApply(answered -> !found.documents().isEmpty());
        });
    }

    private TokenRefusedException refused(IdempotencyToken token, TokenDocument document) {
        return new TokenRefusedException("append to '" + sequence + "'", token, document.resolution(null));
    }
}
