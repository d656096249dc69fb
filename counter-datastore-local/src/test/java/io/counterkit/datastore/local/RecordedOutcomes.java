package io.counterkit.datastore.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The outcomes that processes of {@link Writers} reported about one directory, compared with what is stored. */
final class RecordedOutcomes {
    /** The last certain outcome of each token. */
    private final Map<String, String> outcomes = new LinkedHashMap<>();

    private final List<String> all = new ArrayList<>();
    private final Map<String, Long> numbers = new LinkedHashMap<>();
    private long highestRead;

    void add(List<String> lines) {
        all.addAll(lines);
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "send" -> outcomes.put(words[1], "open");
                case "unknown", "unsettled" -> outcomes.put(words[1], "open");
                case "not", "never" -> outcomes.put(words[1], "not applied");
                case "added", "applied" -> outcomes.put(words[1], "applied");
                case "appended" -> {
                    outcomes.put(words[1], "applied");
                    numbers.put(words[1], Long.parseLong(words[2]));
                }
                case "read" -> {
                    long total = Long.parseLong(words[2]);
                    assertThat(total).isGreaterThanOrEqualTo(Long.parseLong(words[1]));
                    highestRead = Math.max(highestRead, total);
                }
                default -> {
                    // "closed", and lines of the JVM
                }
            }
        }
    }

    long count(String outcome) {
        return outcomes.values().stream().filter(outcome::equals).count();
    }

    private List<String> history(String token) {
        return all.stream().filter(line -> line.contains(token)).toList();
    }

    /** Opens the directory and fails if a change is lost, doubled or differs from its report. */
    void check(Path directory) {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.WHEN_CLOSED);
                Counters counters = Counters.over(datastore.backend())) {
            List<Entry> entries = counters.sequence("s").read(1, 1000);
            assertThat(entries)
                    .extracting(Entry::number)
                    .isEqualTo(LongStream.rangeClosed(1, entries.size()).boxed().toList());
            long added = 0;
            long appended = 0;
            for (Map.Entry<String, String> entry : outcomes.entrySet()) {
                Resolution is = counters.resolve(IdempotencyToken.of(entry.getKey()));
                if (!entry.getValue().equals("open")) {
                    assertThat(is.applied())
                            .as("%s", history(entry.getKey()))
                            .isEqualTo(entry.getValue().equals("applied"));
                }
                if (is instanceof Resolution.Added) {
                    added++;
                } else if (is instanceof Resolution.Appended append) {
                    appended++;
                    assertThat(entries.get((int) append.number() - 1).fields()).containsEntry("token", entry.getKey());
                    assertThat(append.number()).isEqualTo(numbers.getOrDefault(entry.getKey(), append.number()));
                }
            }
            assertThat(counters.counter("c").get()).isEqualTo(added).isGreaterThanOrEqualTo(highestRead);
            assertThat(entries).hasSize((int) appended);
        }
    }
}
