package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.ListedNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 9, continued: names and tokens that resemble keys of a store, and one token for several names. */
public abstract class KeysChapter extends Chapter {
    private static final List<String> SEPARATORS = List.of("/", ":", "#", ".", "_", "-", "$", "@", "|", "");

    /** Words that a store may append to a name to form the keys of its other data. */
    private static final List<String> WORDS =
            List.of(("0 1 base c count counter data deleted import index last live lock"
                            + " log meta n names rollup seal sequence shard shards snapshot state sum t token tokens top total"
                            + " ts value version")
                    .split(" "));

    /** Words that a store may append to the name of a sequence. */
    private static final List<String> PARTS =
            List.of(("1 2 last tail seal entries subject subjects a 0001 count head len" + " live meta next n s tokens")
                    .split(" "));

    /** The number of names in one read. */
    private static final int AT_ONCE = 100;

    private static final int ROUNDS = 10;

    @Test
    @Rule(
            value = "9.7",
            lookAt = "the keys under which the store keeps totals, seals, imports and tokens: no text of an application"
                    + " may result in a key of another kind")
    final void spec907_namesAndTokensAreNoKeysOfOtherData() {
        String name = name();
        List<String> others = Stream.concat(
                        SEPARATORS.stream().flatMap(separator -> WORDS.stream().map(word -> name + separator + word)),
                        Stream.of("/", ":", "#")
                                .flatMap(separator -> WORDS.stream().map(word -> word + separator + name)))
                .toList();
        Counter counter = here().counter(name);
        counter.add(1000, IdempotencyToken.of(name));
        awaitAll(IntStream.range(0, others.size())
                .mapToObj(i -> here().counter(others.get(i)).async().add(i + 1L)));
        assertTotals(others);
        IdempotencyToken another = IdempotencyToken.of(others.get(0));
        elsewhere(counter).add(200, another);
        elsewhere(counter).add(30);
        here().counter(another + "/").add(5, IdempotencyToken.of("token/" + name));
        Commit commit = commit();
        IdempotencyToken shared = commit.token();
        backend()
                .counters()
                .add(List.of(new AddRequest(others.get(1), 0, null)), commit)
                .join();
        Counter free = counter();
        free.add(6, IdempotencyToken.of(commit.id()));
        assertThat(elsewhere(free).get())
                .as("the total after an add whose token is a part of %s, the token of a commit", shared)
                .isEqualTo(6);
        IdempotencyToken generated = IdempotencyToken.of(Commit.TOKEN_PREFIX + "a:" + name);
        for (CounterBackend process : List.of(backend(), backend())) {
            AddRequest add = new AddRequest(free.name(), 1, generated);
            Batches.add(process.counters(), List.of(add), this::commit);
        }
        assertThat(free.get())
                .as("the total after an add of 1 to 6, sent twice with one token, which resembles that of a commit")
                .isEqualTo(7);
        assertThat(counter.get()).as("the total of the counter").isEqualTo(1230);
        counter.add(1000, IdempotencyToken.of(name));
        elsewhere(counter).add(200, another);
        assertResolved(another, new Resolution.Added(name, 200));
        if (declares(Capability.SEAL_COUNTERS)) {
            assertThat(counter.seal("elsewhere").last())
                    .as("the last number or total in the seal")
                    .isEqualTo(1230);
        } else {
            counter.reset();
            counter.delete();
        }
        assertTotals(others);
        for (int i = 0; i < others.size(); i += 10) {
            here().counter(others.get(i)).add(1);
            assertThat(there().counter(others.get(i)).get())
                    .as("the total of '%s', which is another counter than '%s'", others.get(i), name)
                    .isEqualTo(i + 2L);
        }
        List<String> expected = new ArrayList<>(
                others.stream().filter(other -> other.startsWith(name)).toList());
        expected.add(another + "/");
        if (declares(Capability.SEAL_COUNTERS)) {
            expected.add(name);
        }
        awaitLists(() -> assertThat(ListedNames.ofCounters(there(), name))
                .as("the names listed, which are those of counters only")
                .containsExactlyInAnyOrderElementsOf(expected));
    }

    /** Checks that the totals of these counters are 1, 2, 3, … */
    private void assertTotals(List<String> names) {
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            List<String> some = names.subList(from, Math.min(from + AT_ONCE, names.size()));
            Map<String, Long> totals = there().readAll(some, Duration.ZERO).values();
            for (int i = 0; i < some.size(); i++) {
                assertThat(totals).containsEntry(some.get(i), from + i + 1L);
            }
        }
    }

    @Test
    @Rule(
            value = "9.8",
            lookAt = "the lock that protects the check of a token: the lock of one counter does not suffice, since the"
                    + " same token may arrive with another counter at the same time")
    final void spec908_concurrentChangesOfSeveralNamesWithOneTokenAreAppliedOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Counter first = counter();
            Counter second = there().counter(name());
            Sequence third = there().sequence(name());
            IdempotencyToken token = IdempotencyToken.random();
            List<Boolean> applied = tasks().callAtOnce(round % 2 == 0 ? 2 : 3, thread -> switch (thread) {
                case 0 -> isApplied(() -> first.add(5, token));
                case 1 -> isApplied(() -> second.add(5, token));
                default -> isApplied(() -> third.append(Map.of(), token));
            });
            assertThat(applied.stream().filter(Boolean::booleanValue))
                    .as("the changes of different names with one token that were applied")
                    .hasSizeLessThanOrEqualTo(1);
            Resolution resolution = here().resolve(token);
            List<Long> expected = new ArrayList<>();
            expected.add(resolution.equals(new Resolution.Added(first.name(), 5)) ? 5L : 0);
            expected.add(resolution.equals(new Resolution.Added(second.name(), 5)) ? 5L : 0);
            expected.add(resolution.equals(new Resolution.Appended(third.name(), 1)) ? 1L : 0);
            assertThat(List.of(
                            elsewhere(first).get(),
                            here().counter(second.name()).get(),
                            third.last()))
                    .as(
                            "the totals of two counters and the last number of a sequence, after concurrent changes"
                                    + " with one token that resolves to %s",
                            resolution)
                    .isEqualTo(expected);
        }
    }

    private static boolean isApplied(Runnable change) {
        try {
            change.run();
            return true;
        } catch (CounterException e) {
            assertThat(e)
                    .as("the failure of one of several changes with one token")
                    .isInstanceOf(NotAppliedException.class);
            return false;
        }
    }

    @Test
    @Rule(
            value = "9.9",
            lookAt = "the keys under which the store keeps tails, entries, subjects, seals and tokens of sequences: no"
                    + " text of an application may result in a key of another kind")
    final void spec909_sequencesAndSubjectsAreNoKeysOfOtherData() {
        String name = name();
        List<String> others = some(Stream.of("/", ":", "#", "")
                .flatMap(separator -> PARTS.stream().map(word -> name + separator + word))
                .toList());
        Sequence sequence = here().sequence(name);
        for (String each : others) {
            here().counter(each).add(5);
        }
        sequence.append(Change.ADDED, "1", Map.of(), IdempotencyToken.of(name));
        sequence.append(Change.ADDED, "2", Map.of(), IdempotencyToken.of(others.get(0)));
        for (String each : others) {
            assertThat(there().sequence(each).append(Map.of("sequence", each)).number())
                    .as("the first number of '%s'", each)
                    .isOne();
        }
        for (String subject : List.of("last", "tail", "seal", "subject", "a", name, "0", "5")) {
            sequence.append(Change.ADDED, subject, Map.of());
        }
        here().counter(name).add(7, IdempotencyToken.of("c/" + name));
        here().counter(name).add(2, IdempotencyToken.of(name + "/a"));
        for (String place : List.of("eleven", "twelve")) {
            sequence.append(Map.of("place", place));
        }
        List<Entry> entries = there().sequence(name).read(1, 100);
        assertThat(entries)
                .extracting(Entry::subject)
                .containsExactly("1", "2", "last", "tail", "seal", "subject", "a", name, "0", "5", null, null);
        for (String each : others) {
            assertThat(entry(there().sequence(each), 1).fields())
                    .as("the fields of the first entry of '%s'", each)
                    .isEqualTo(Map.of("sequence", each));
        }
        assertThat(there().sequence(name).append(Change.ADDED, "1", Map.of(), IdempotencyToken.of(name)))
                .isEqualTo(entries.get(0));
        IdempotencyToken generated = IdempotencyToken.of(Commit.TOKEN_PREFIX + "s:" + name);
        AppendRequest append = new AppendRequest(Change.ADDED, null, Map.of(), generated);
        String unused = name();
        assertThat(Stream.of(backend(), backend())
                        .map(process -> Batches.append(process.sequences(), unused, List.of(append), this::commit)
                                .get(0)
                                .orThrow()
                                .number()))
                .as("the numbers returned to an append, sent twice with one token, which resembles that of a commit")
                .containsExactly(1L, 1L);
        assertResolved(IdempotencyToken.of(others.get(0)), new Resolution.Appended(name, 2));
        sequence.erase(1);
        if (declares(Capability.SEAL_SEQUENCES)) {
            assertThat(sequence.seal("elsewhere").last())
                    .as("the last number or total in the seal")
                    .isEqualTo(12);
        }
        for (String each : others) {
            assertThat(there().sequence(each).next())
                    .as("the second number of '%s'", each)
                    .isEqualTo(2);
            assertThat(there().sequence(each).read(1, 9))
                    .as("the entries of '%s'", each)
                    .hasSize(2);
            assertThat(there().counter(each).get())
                    .as("the total of '%s'", each)
                    .isEqualTo(5);
        }
        assertTotalElsewhere(name, 9);
    }
}
