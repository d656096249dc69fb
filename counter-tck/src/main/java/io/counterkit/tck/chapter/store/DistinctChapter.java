package io.counterkit.tck.chapter.store;

import static io.counterkit.tck.internal.model.SimilarTexts.shown;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Chapters 1, 5, 9 and 10, continued: names, tokens, subjects and field names that differ in one respect are different.
 */
public abstract class DistinctChapter extends Chapter {
    @Test
    @Rule(
            value = "9.6",
            lookAt = "the collation, the length and the type of the column or key that holds a name; trimming, case"
                    + " folding, normalisation, hashing, truncation and conversion to numbers")
    final void spec906_namesThatDifferInOneRespectAreDifferent() {
        List<String> names = some(texts(Limits.MAX_NAME_BYTES));
        List<IdempotencyToken> tokens =
                names.stream().map(name -> IdempotencyToken.random()).toList();
        List<CompletableFuture<?>> changes = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Map<String, String> fields = Map.of("name", name);
            changes.add(here().counter(name).async().add(i + 1L, tokens.get(i)));
            changes.add(here().sequence(name).async().append(fields, IdempotencyToken.of("s" + tokens.get(i))));
        }
        changes.forEach(CompletableFuture::join);
        List<Resolution> added = Futures.join(
                Futures.all(tokens.stream().map(there().async()::resolve).toList()));
        List<Resolution> appended = Futures.join(Futures.all(tokens.stream()
                .map(token -> there().async().resolve(IdempotencyToken.of("s" + token)))
                .toList()));
        List<Long> totals = joinAll(names, name -> there().counter(name).async().get());
        List<Reading> stale =
                joinAll(names, name -> there().counter(name).async().read(Duration.ofMinutes(10)));
        List<List<Entry>> entries =
                joinAll(names, name -> there().sequence(name).async().read(1, 10));
        for (int i = 0; i < names.size(); i++) {
            assertThat(totals.get(i)).as("the total of %s", shown(names.get(i))).isEqualTo(i + 1L);
            assertThat(stale.get(i).value())
                    .as("the total of %s, read with a staleness bound of 10 minutes", shown(names.get(i)))
                    .isIn(0L, i + 1L);
            assertThat(entries.get(i))
                    .as("the entries of the sequence %s", shown(names.get(i)))
                    .hasSize(1);
            assertThat(entries.get(i).get(0).fields())
                    .as("the fields of the entry")
                    .isEqualTo(Map.of("name", names.get(i)));
            assertThat(added.get(i)).isEqualTo(new Resolution.Added(names.get(i), i + 1L));
            assertThat(appended.get(i)).isEqualTo(new Resolution.Appended(names.get(i), 1));
        }
        for (int i = 0; i < names.size(); i += 3) {
            here().counter(names.get(i)).delete();
        }
        List<Long> rest = joinAll(names, name -> there().counter(name).async().get());
        for (int i = 0; i < names.size(); i++) {
            assertThat(rest.get(i))
                    .as("the total of %s after every third counter was deleted", shown(names.get(i)))
                    .isEqualTo(i % 3 == 0 ? 0 : i + 1L);
        }
    }

    /** Returns the result of an operation for each name. */
    private static <T> List<T> joinAll(List<String> names, Function<String, CompletableFuture<T>> operation) {
        return Futures.join(Futures.all(names.stream().map(operation).toList()));
    }

    @Test
    @Rule(
            value = "1.8",
            lookAt = "wildcards and escapes in the pattern of a prefix query, the upper end of its range, and the"
                    + " collation of names")
    final void spec108_prefixIsTakenLiterally() {
        List<String> names = some(SimilarTexts.family(name() + "/", Limits.MAX_NAME_BYTES, random).stream()
                .filter(name -> name.length() < 100 || name.length() > 395)
                .toList());
        List<CompletableFuture<?>> changes = new ArrayList<>();
        for (String name : names) {
            changes.add(here().counter(name).async().add(0));
            changes.add(here().sequence(name).async().append(Map.of()));
        }
        changes.forEach(CompletableFuture::join);
        awaitLists(() -> {
            for (Kind kind : Kind.values()) {
                assertThat(ListedNames.of(there(), kind, names.get(0), 50)).containsExactlyInAnyOrderElementsOf(names);
            }
        });
        for (String prefix : names) {
            List<String> expected =
                    names.stream().filter(name -> name.startsWith(prefix)).toList();
            for (Kind kind : Kind.values()) {
                assertThat(ListedNames.of(there(), kind, prefix, 50))
                        .as("the names that start with %s", shown(prefix))
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    @Rule(
            value = "5.19",
            lookAt = "the collation, the length and the type of the column or key that holds a token; hashing and"
                    + " truncation")
    final void spec519_tokensThatDifferInOneRespectAreDifferent() {
        List<String> tokens = some(texts(Limits.MAX_TOKEN_BYTES));
        Counter counter = counter();
        List<CompletableFuture<?>> adds = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            adds.add(counter.async().add(i + 1L, IdempotencyToken.of(tokens.get(i))));
        }
        for (int i = 0; i < tokens.size(); i++) {
            CompletableFuture<?> add = adds.get(i);
            assertThat(add.handle((done, failure) -> failure == null ? "applied" : failure.toString())
                            .join())
                    .as("the outcome of an add with the token %s", shown(tokens.get(i)))
                    .isEqualTo("applied");
        }
        assertThat(elsewhere(counter).get())
                .as("the total after adds of 1, 2, 3, …, each with a token of its own")
                .isEqualTo(tokens.size() * (tokens.size() + 1L) / 2);
        for (int i = 0; i < tokens.size(); i++) {
            assertThat(there().resolve(IdempotencyToken.of(tokens.get(i))))
                    .as("the resolution of the token %s", shown(tokens.get(i)))
                    .isEqualTo(new Resolution.Added(counter.name(), i + 1L));
        }
    }

    @Test
    @Rule(
            value = "5.26",
            lookAt = "the collation and the length of the columns or keys that hold the tokens of appends, and those"
                    + " that were resolved as not applied")
    final void spec526_tokensOfAppendsAndDecisionsThatDifferAreDifferent() {
        for (int decided = 0; decided < 3; decided++) {
            List<String> tokens = some(texts(Limits.MAX_TOKEN_BYTES));
            Counter counter = counter();
            Sequence sequence = sequence();
            List<String> used = new ArrayList<>();
            List<String> never = new ArrayList<>();
            for (int i = 0; i < tokens.size(); i++) {
                (i % 2 == decided ? never : used).add(tokens.get(i)); // in the last round, all are used
            }
            assertThat(joinAll(never, token -> there().async().resolve(IdempotencyToken.of(token))))
                    .allMatch(resolution -> !resolution.applied());
            boolean isAdd = decided == 0;
            List<CompletableFuture<?>> changes = new ArrayList<>();
            for (String text : used) {
                IdempotencyToken token = IdempotencyToken.of(text);
                changes.add(
                        isAdd ? counter.async().add(1, token) : sequence.async().append(Map.of(), token));
            }
            for (int i = 0; i < used.size(); i++) {
                assertThat(changes.get(i)
                                .handle((done, failure) -> failure == null ? "applied" : failure.toString())
                                .join())
                        .as("the outcome of a change with the token %s", shown(used.get(i)))
                        .isEqualTo("applied");
            }
            assertThat(isAdd ? elsewhere(counter).get() : elsewhere(sequence).last())
                    .as("the number of changes that were applied, each with a token of its own")
                    .isEqualTo(used.size());
            List<Resolution> resolved = joinAll(used, token -> there().async().resolve(IdempotencyToken.of(token)));
            for (int i = 0; i < used.size(); i++) {
                assertThat(resolved.get(i))
                        .as("the resolution of the token %s", shown(used.get(i)))
                        .isEqualTo(
                                isAdd
                                        ? new Resolution.Added(counter.name(), 1)
                                        : new Resolution.Appended(sequence.name(), i + 1L));
            }
        }
    }

    @Test
    @Rule(
            value = "10.15",
            lookAt = "the collation and the length of the column or key that holds a subject, and how the subject"
                    + " and the name of the sequence are joined")
    final void spec1015_subjectsThatDifferInOneRespectAreDifferent() {
        // The name is long, so that a key that consists of it and the subject is too.
        Sequence sequence = here().sequence(SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES));
        List<String> subjects = new ArrayList<>(SimilarTexts.family("s", Limits.MAX_NAME_BYTES, random));
        subjects.addAll(SimilarTexts.beginnings("subject"));
        subjects.addAll(SimilarTexts.alone());
        subjects.addAll(SimilarTexts.wholes(random));
        List<String> distinct = some(subjects.stream().distinct().toList());
        List<CompletableFuture<Entry>> appends = new ArrayList<>();
        for (String subject : distinct) {
            appends.add(sequence.async().append(Change.ADDED, subject, Map.of()));
        }
        for (int i = 0; i < distinct.size(); i++) {
            CompletableFuture<Entry> append = appends.get(i);
            assertThat(append.handle((entry, failure) -> failure == null ? entry.subject() : failure.toString())
                            .join())
                    .as("the subject of the entry that adds %s", shown(distinct.get(i)))
                    .isEqualTo(distinct.get(i));
        }
        assertThat(elsewhere(sequence).liveCount())
                .as("the live count in another process")
                .isEqualTo(distinct.size());
        assertThat(elsewhere(sequence).read(1, distinct.size()))
                .extracting(Entry::subject)
                .isEqualTo(distinct);
        for (String separator : List.of("/", "|", ":", ".", "#", " ", "~", "-", ",", "%", "\\")) {
            String name = name();
            here().sequence(name + separator + "a").append(Change.ADDED, "b", Map.of());
            assertThat(there().sequence(name)
                            .append(Change.ADDED, "a" + separator + "b", Map.of())
                            .number())
                    .isOne();
            assertThat(there().sequence(name + separator)
                            .append(Change.ADDED, "a" + separator + "b", Map.of())
                            .number())
                    .isOne();
        }
    }

    /** Returns similar texts, none of which was used before. */
    private List<String> texts(int maxBytes) {
        String prefix = name() + "/";
        List<String> texts = new ArrayList<>(SimilarTexts.family(prefix, maxBytes, random));
        texts.addAll(SimilarTexts.beginnings(prefix));
        texts.addAll(SimilarTexts.wholes(random));
        return texts.stream().distinct().toList();
    }
}
