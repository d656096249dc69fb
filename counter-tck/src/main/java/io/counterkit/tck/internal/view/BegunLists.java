package io.counterkit.tck.internal.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.NamePage;
import io.counterkit.tck.internal.model.ListedNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list of counters and a list of sequences whose first pages were read.
 *
 * @param names the names of both lists
 */
public record BegunLists(List<String> names, NamePage counters, NamePage sequences) {
    /** Creates two names that start with {@code prefix}, waits until they are listed, and reads a page of one name. */
    public static BegunLists under(String prefix, Counters process, Consumer<Runnable> lists) {
        List<String> names = List.of(prefix + "a", prefix + "b");
        for (String name : names) {
            process.counter(name).add(1);
            process.sequence(name).next();
        }
        lists.accept(() -> {
            assertThat(ListedNames.ofCounters(process, prefix)).hasSize(names.size());
            assertThat(ListedNames.ofSequences(process, prefix)).hasSize(names.size());
        });
        return new BegunLists(names, process.counterNames(prefix, null, 1), process.sequenceNames(prefix, null, 1));
    }

    /** Checks that {@code process} continues the lists. */
    public void check(String prefix, Counters process, String when) {
        check("counters", counters, cursor -> process.counterNames(prefix, cursor, 1), when);
        check("sequences", sequences, cursor -> process.sequenceNames(prefix, cursor, 1), when);
    }

    private void check(String of, NamePage first, Function<@Nullable String, NamePage> page, String when) {
        List<String> all = new ArrayList<>(first.names());
        all.addAll(ListedNames.from(first.next(), page));
        assertThat(all)
                .as("a list of %s that another process continues %s", of, when)
                .containsExactlyInAnyOrderElementsOf(names);
    }
}
