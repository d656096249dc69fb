package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.SequenceHistory;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 10, continued: large entries, alone and in batches. */
public abstract class LargeEntriesChapter extends Chapter {
    /** More than a megabyte, the limit of many stores, and more values than a statement may have. */
    private static final int LARGE_AT_ONCE = 40;

    /** More entries than a cache or a page holds. */
    private static final int MANY = 1100;

    private static final int FEW = 60;

    /** The number of appends in the largest batch, unless the backend declares a smaller one. */
    private static final int LARGEST_BATCH = 500;

    @Test
    @Rule(value = "10.11", lookAt = "the limits of the store, which must not be below those of the contract")
    final void spec1011_largestEntryFits() {
        Map<String, Object> fields = new HashMap<>();
        for (int i = 0; i < 99; i++) {
            fields.put("field" + (10 + i), (long) i);
        }
        int used = fields.keySet().stream().mapToInt(String::length).sum() + 99 * 8;
        byte[] bytes = new byte[Limits.MAX_FIELDS_BYTES - used - "bytes".length()];
        random.nextBytes(bytes);
        fields.put("bytes", bytes);
        Sequence sequence = sequence();
        sequence.append(fields);
        Map<String, Object> read = entry(elsewhere(sequence), 1).fields();
        assertThat(read).hasSize(100);
        assertThat((byte[]) read.get("bytes")).isEqualTo(bytes);
        int room = Limits.MAX_FIELDS_BYTES - "text".length();
        for (String text : List.of(
                "x".repeat(room - 1) + "y",
                "\"".repeat(room),
                "\u0001".repeat(room), // six characters each in JSON
                "\u00e9".repeat(room / 2),
                "\ud83d\ude00".repeat(room / 4))) {
            long number = sequence.append(Map.of("text", text)).number();
            assertThat(entry(elsewhere(sequence), number).fields().get("text"))
                    .as("the longest text of characters like '%s'", text.substring(0, 2))
                    .isEqualTo(text);
        }
        int most = Limits.MAX_FIELDS_BYTES / (Limits.MAX_NAME_BYTES + Long.BYTES);
        Map<String, Object> names = IntStream.range(0, most)
                .boxed()
                .collect(Collectors.toMap(i -> longest("f" + (10 + i), Limits.MAX_NAME_BYTES), Long::valueOf));
        long number = sequence.append(names).number();
        assertThat(entry(elsewhere(sequence), number).fields())
                .as("%s fields with the longest names", most)
                .isEqualTo(names);
    }

    @Test
    @Rule(
            value = "10.21",
            lookAt = "the limits of a statement, a request or a commit of the store: weights must respect them")
    final void spec1021_largestEntriesAreAppendedAtOnce() throws Exception {
        appendAtOnce(Stream.generate(() -> {
                    byte[] bytes = new byte[Limits.MAX_FIELDS_BYTES - "bytes".length()];
                    random.nextBytes(bytes);
                    return Map.<String, Object>of("bytes", bytes);
                })
                .limit(LARGE_AT_ONCE)
                .toList());
        appendAtOnce(LongStream.range(0, LARGE_AT_ONCE)
                .mapToObj(i -> IntStream.range(0, Limits.MAX_FIELDS)
                        .boxed()
                        .collect(Collectors.<Integer, String, Object>toMap(field -> "f" + field, field -> i * field)))
                .toList());
    }

    /**
     * Appends while the first call is held, so that the other appends wait and share batches. Checks what is stored.
     */
    private void appendAtOnce(List<Map<String, Object>> expected) throws Exception {
        Sequence sequence = sequence();
        List<Long> numbers;
        Future<List<CompletableFuture<Entry>>> sending;
        try (InjectedFault held = inject(StoreFault.HOLD, 1)) { // so that the others wait
            sending = tasks().start(() -> expected.stream()
                    .map(fields -> sequence.async().append(fields))
                    .toList());
            ConcurrentTasks.awaitBriefly(() -> held.isHit() && sending.isDone());
        }
        numbers = ConcurrentTasks.result(sending).stream()
                .map(append -> append.join().number())
                .toList();
        SequenceHistory.checkOneTo(LARGE_AT_ONCE, numbers, "the numbers of large entries");
        List<Entry> read = elsewhere(sequence).read(1, LARGE_AT_ONCE);
        assertThat(read).hasSize(LARGE_AT_ONCE);
        for (int i = 0; i < LARGE_AT_ONCE; i++) {
            assertThat(Fields.areEqual(read.get(i).fields(), expected.get(i)))
                    .as("whether the fields of entry %s are those that were appended", i + 1)
                    .isTrue();
        }
    }

    @Test
    @Rule(
            value = "10.24",
            lookAt = "the limits that are declared: statements, parameters and bytes of a transaction; the weight of"
                    + " each append")
    final void spec1024_batchOfTheLargestWeightIsAppended() {
        SequenceStore store = backend().sequences();
        BatchLimits limits = store.limits();
        String name = longest(name(), Limits.MAX_NAME_BYTES);
        List<AppendRequest> requests = Batches.largest(
                limits, limits.direct() ? 2 : LARGEST_BATCH, store::weight, LargeEntriesChapter::request);
        int weight = requests.stream().mapToInt(store::weight).sum();
        List<IdempotencyToken> tokens = new ArrayList<>();
        List<Result<Entry>> results = Batches.appendAtOnce(store, name, requests, () -> {
            Commit commit = commit();
            tokens.add(commit.token());
            return commit;
        });
        for (int i = 0; i < requests.size(); i++) {
            assertThat(results.get(i).orThrow().number())
                    .as(
                            "the number of append %s of %s in a batch of weight %s, with the limits %s",
                            i + 1, requests.size(), weight, limits)
                    .isEqualTo(i + 1);
        }
        assertThat(there().sequence(name).read(1, requests.size()))
                .as("the entries of a batch of %s appends", requests.size())
                .isEqualTo(results.stream().map(Result::orThrow).toList());
        assertSubjectsAreKnown(store, name, requests);
        CounterBackend resolving = backend();
        boolean isOneCommit = tokens.size() == 1; // otherwise the index of an append in its batch is not known
        List<Integer> known = IntStream.range(0, requests.size())
                .filter(i -> isOneCommit || requests.get(i).token() != null)
                .boxed()
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(known, random);
        for (int i : known.subList(0, Math.min(known.size(), timeBox.isFast() ? LARGEST_BATCH : size(FEW, 2)))) {
            IdempotencyToken own = requests.get(i).token();
            assertThat(resolving
                            .resolve(
                                    own == null ? tokens.get(0) : own,
                                    own == null ? ChangeTarget.append(name, i) : null,
                                    commit())
                            .join())
                    .as("the resolution of append %s of %s", i + 1, requests.size())
                    .isEqualTo(new Resolution.Appended(name, i + 1));
        }
    }

    /** Sends a batch of updates of the same subjects, and of two additions far apart, which have to be refused. */
    private void assertSubjectsAreKnown(SequenceStore store, String name, List<AppendRequest> appended) {
        List<AppendRequest> known =
                appended.stream().filter(request -> request.subject() != null).toList();
        List<Integer> refused = List.of(known.size() / 2, known.size() - 1);
        List<AppendRequest> requests = IntStream.range(0, known.size())
                .mapToObj(i -> new AppendRequest(
                        refused.contains(i) ? Change.ADDED : Change.UPDATED,
                        known.get(i).subject(),
                        Map.of(),
                        known.get(i).token() == null ? null : IdempotencyToken.random()))
                .toList();
        List<Result<Entry>> results = Batches.appendAtOnce(store, name, requests, this::commit);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(results.get(i).failure() instanceof ChangeRefusedException)
                    .as(
                            "whether append %s of a batch of %s, the %s of a live subject, is refused; its result is"
                                    + " %s",
                            i + 1, requests.size(), requests.get(i).change().noun(), results.get(i))
                    .isEqualTo(refused.contains(i));
        }
        assertThat(there().sequence(name).last())
                .as("the last number after a batch of additions and updates of live subjects")
                .isEqualTo(appended.size()
                        + requests.stream()
                                .filter(request -> request.change() == Change.UPDATED)
                                .count());
    }

    @Test
    @Rule(value = "10.26", lookAt = "where erasures are kept: with their entries, not in a list with a limit")
    final void spec1026_manyErasuresArePermanent() {
        int many = timeBox.isFast() ? size(MANY, FEW) : FEW;
        CounterBackend backend = backend();
        String name = name();
        List<AppendRequest> requests = IntStream.range(0, many)
                .mapToObj(i -> new AppendRequest(Change.ADDED, null, Map.of("secret", "x" + i), null))
                .toList();
        Batches.append(backend.sequences(), name, requests, this::commit);
        LongStream.rangeClosed(1, many)
                .forEach(number ->
                        backend.sequences().erase(name, number, commit()).join());
        assertThat(SequenceHistory.all(there().sequence(name)))
                .as("the %s entries, all of which were erased", many)
                .hasSize(many)
                .allMatch(entry -> entry.erased() && entry.fields().isEmpty());
    }

    /** Returns an append with short or with the longest texts, without or with a token. */
    private static AppendRequest request(int number) {
        boolean isLong = number % 3 == 0;
        String subject = "s" + number;
        IdempotencyToken token = IdempotencyToken.random();
        return new AppendRequest(
                Change.ADDED,
                number % 4 == 3 ? null : isLong ? SimilarTexts.filled(subject + "/", Limits.MAX_NAME_BYTES) : subject,
                Map.of("i", (long) number),
                number % 2 == 1
                        ? null
                        : isLong
                                ? IdempotencyToken.of(SimilarTexts.filled(token.value(), Limits.MAX_TOKEN_BYTES))
                                : token);
    }

    /** Returns a text of this many bytes in UTF-8, most of whose characters take three times as many in a URL. */
    private static String longest(String start, int bytes) {
        int room = bytes - start.length();
        return start + "x".repeat(room % 2) + "\u00e9".repeat(room / 2);
    }
}
