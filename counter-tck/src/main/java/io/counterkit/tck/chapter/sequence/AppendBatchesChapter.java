package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 10, continued: mixed batches of appends, and the times of entries. */
public abstract class AppendBatchesChapter extends Chapter {
    private static final int BATCHES = 40;

    /** How much the clocks of a store and of the kit may differ. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(10);

    /** Longer than a tick of a clock that counts milliseconds. */
    private static final Duration CLOCK_TICK = Duration.ofMillis(7);

    /** The expected state of the sequence of a test. */
    private static final class Expected {
        final Map<String, Boolean> live = new HashMap<>();
        final Map<IdempotencyToken, Entry> seen = new HashMap<>();

        /** Tokens that appends must not use: of other changes, and resolved as not applied. */
        final List<IdempotencyToken> refused = new ArrayList<>();

        /** Tokens of refused appends, which stay unused. */
        final List<IdempotencyToken> unused = new ArrayList<>();

        final List<Entry> entries = new ArrayList<>();

        boolean fits(AppendRequest request) {
            return request.subject() == null
                    || live.getOrDefault(request.subject(), false) != (request.change() == Change.ADDED);
        }

        /** Returns the entry of a new append, with the time that the store has chosen. */
        Entry add(AppendRequest request, Entry appended) {
            long before =
                    entries.isEmpty() ? 0 : entries.get(entries.size() - 1).liveCount();
            Entry entry = new Entry(
                    entries.size() + 1L,
                    appended.appendedAt(),
                    request.change(),
                    request.subject(),
                    request.fields(),
                    before + request.change().delta(),
                    false);
            entries.add(entry);
            if (request.subject() != null) {
                live.put(request.subject(), request.leavesSubjectLive());
            }
            if (request.token() != null) {
                seen.put(request.token(), entry);
            }
            return entry;
        }
    }

    @Test
    @Rule(
            value = "10.19",
            lookAt = "how a batch continues after each kind of request, and what is stored for each request that"
                    + " uses the token of the commit")
    final void spec1019_eachAppendOfAMixedBatchHasItsOwnOutcome() {
        CounterBackend backend = backend();
        CounterBackend other = backend();
        String name = name();
        Expected expected = new Expected();
        expected.refused.addAll(refusedTokens());
        for (int batch = 0; batch < BATCHES; batch++) {
            List<AppendRequest> requests = requests(backend, expected);
            Commit commit = commit();
            IdempotencyToken shared = commit.token();
            List<Result<Entry>> results =
                    backend.sequences().append(name, requests, commit).join();
            assertThat(results).hasSameSizeAs(requests);
            assertThat(results)
                    .as(
                            "seed %s: the results of the batch %s, at least one of which has to be an outcome",
                            seed, requests)
                    .anyMatch(result -> !result.isRetry());
            for (int i = 0; i < requests.size(); i++) {
                if (!results.get(i).isRetry()) { // because of another request of the batch
                    String label = "seed " + seed + ", request " + (i + 1) + " of " + requests + ": " + results.get(i);
                    Resolution resolution = check(label, name, requests.get(i), results.get(i), expected);
                    if (resolution != null) {
                        assertThat(there(other, shared, requests.get(i), name, i))
                                .as(label)
                                .isEqualTo(resolution);
                    }
                }
            }
        }
        assertThat(SequenceHistory.all(there().sequence(name)))
                .as("seed %s: the entries that were stored", seed)
                .isEqualTo(expected.entries);
    }

    /** Returns a token of an add, of an append to another sequence, and one that is never applied. */
    private List<IdempotencyToken> refusedTokens() {
        List<IdempotencyToken> tokens =
                Stream.generate(IdempotencyToken::random).limit(3).toList();
        here().counter(name()).add(1, tokens.get(0));
        here().sequence(name()).append(Map.of(), tokens.get(1));
        there().resolve(tokens.get(2));
        return tokens;
    }

    /** Checks a result, and returns what its request resolves to; null if it must not be resolved now. */
    private @Nullable Resolution check(
            String label, String name, AppendRequest request, Result<Entry> result, Expected expected) {
        IdempotencyToken token = request.token();
        Entry known = token == null ? null : expected.seen.get(token);
        if (known != null) {
            if (known.change() == request.change() && Objects.equals(known.subject(), request.subject())) {
                assertThat(result.orThrow()).as(label).isEqualTo(known);
            } else {
                assertThat(result.failure()).as(label).isInstanceOf(TokenRefusedException.class);
            }
            return new Resolution.Appended(name, known.number());
        }
        if (token != null && expected.refused.contains(token)) {
            assertThat(result.failure())
                    .as(label)
                    .isInstanceOfAny(
                            TokenRefusedException.class,
                            expected.fits(request) ? TokenRefusedException.class : ChangeRefusedException.class);
            return null;
        }
        if (expected.fits(request)) {
            Entry appended = result.orThrow();
            assertThat(appended).as(label).isEqualTo(expected.add(request, appended));
            return new Resolution.Appended(name, appended.number());
        }
        assertThat(result.failure()).as(label).isInstanceOf(ChangeRefusedException.class);
        if (token != null && random.nextBoolean()) {
            expected.unused.add(token);
            return null;
        }
        if (token != null) {
            expected.refused.add(token); // since it is resolved now
        }
        return new Resolution.NotApplied();
    }

    /** Returns the resolution of a request of a commit in another process. */
    private Resolution there(
            CounterBackend other, IdempotencyToken shared, AppendRequest request, String name, int index) {
        return request.token() == null
                ? other.resolve(shared, ChangeTarget.append(name, index), commit())
                        .join()
                : other.resolve(request.token(), null, commit()).join();
    }

    private List<AppendRequest> requests(CounterBackend backend, Expected expected) {
        AppendRequest heavy = new AppendRequest(Change.ADDED, "s0", Map.of("i", 1L), IdempotencyToken.random());
        int room =
                Batches.room(backend.sequences().limits(), backend.sequences().weight(heavy));
        int size = 1 + random.nextInt(room);
        List<IdempotencyToken> seen = new ArrayList<>(expected.seen.keySet());
        Collections.shuffle(seen, random);
        List<IdempotencyToken> refused = new ArrayList<>(expected.refused);
        Collections.shuffle(refused, random);
        List<AppendRequest> requests = new ArrayList<>();
        while (requests.size() < size) {
            // different fields, so that entries of different requests are not equal
            Map<String, Object> fields = Map.of("f" + random.nextInt(9), (long) requests.size());
            int kind = random.nextInt(11);
            if (kind < 2 && !seen.isEmpty()) {
                IdempotencyToken token = seen.remove(0);
                Entry known = Objects.requireNonNull(expected.seen.get(token));
                requests.add(new AppendRequest(known.change(), known.subject(), Map.of("again", true), token));
            } else if (kind == 2 && !seen.isEmpty()) {
                requests.add(new AppendRequest(Change.ADDED, "another", fields, seen.remove(0)));
            } else if (kind == 3 && !refused.isEmpty()) {
                requests.add(new AppendRequest(Change.ADDED, null, fields, refused.remove(0)));
            } else if (kind == 4 && !expected.unused.isEmpty()) {
                requests.add(new AppendRequest(Change.ADDED, null, fields, expected.unused.remove(0)));
            } else if (kind < 7) {
                requests.add(new AppendRequest(Change.ADDED, null, random.nextBoolean() ? fields : Map.of(), null));
            } else {
                requests.add(new AppendRequest(
                        List.of(Change.values()).get(random.nextInt(3)),
                        "s" + random.nextInt(3),
                        fields,
                        random.nextBoolean() ? null : IdempotencyToken.random()));
            }
        }
        return requests;
    }

    @Test
    @Rule(
            value = "10.22",
            lookAt = "time zones, units and the column that holds the time; a clock that is read once; batches")
    final void spec1022_timeOfAnEntryIsThatOfItsAppend() {
        Sequence sequence = sequence();
        Instant start = Instant.now();
        List<Entry> appended = new ArrayList<>();
        appended.add(sequence.append(Map.of()));
        await("an entry whose time is not a whole second and is not that of the first entry, " + appended)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(CLOCK_TICK)
                .until(() -> {
                    Entry next = sequence.append(Map.of());
                    appended.add(next);
                    Instant time = next.appendedAt();
                    return time.toEpochMilli() % 1000 != 0
                            && !time.equals(appended.get(0).appendedAt());
                });
        appended.add(sequence.append(Change.ADDED, "s", Map.of()));
        appended.add(sequence.append(Map.of(), IdempotencyToken.random()));
        AppendRequest request = new AppendRequest(Change.UPDATED, "s", Map.of(), null);
        Batches.append(backend().sequences(), sequence.name(), List.of(request, request), this::commit)
                .forEach(result -> appended.add(result.orThrow()));
        assertThat(SequenceHistory.all(elsewhere(sequence))).isEqualTo(appended);
        assertThat(appended)
                .extracting(Entry::appendedAt)
                .as("the times of entries that were appended now, by the clock of the store")
                .allSatisfy(time -> assertThat(time)
                        .isBetween(start.minus(CLOCK_DIFFERENCE), Instant.now().plus(CLOCK_DIFFERENCE))
                        .isEqualTo(time.truncatedTo(ChronoUnit.MILLIS)));
    }
}
