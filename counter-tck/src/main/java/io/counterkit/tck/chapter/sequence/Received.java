package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/** Records what a follower delivers and reports. */
final class Received implements Consumer<Entry> {
    private static final Duration CADENCE = Duration.ofMillis(10);

    final List<Entry> entries = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Duration cadence;

    Received() {
        this(CADENCE);
    }

    Received(Duration cadence) {
        this.cadence = cadence;
    }

    @Override
    public void accept(Entry entry) {
        entries.add(entry);
    }

    FollowOptions options() {
        return FollowOptions.defaults().withCadence(cadence).withFailures(failures::add);
    }

    Follower follow(Counters process, Sequence sequence, long from) {
        return process.sequence(sequence.name()).follow(from, options(), this);
    }

    Follower follow(Counters process, Sequence sequence, Counter checkpoint) {
        return process.sequence(sequence.name()).follow(process.counter(checkpoint.name()), options(), this);
    }

    List<Long> numbers() {
        return entries.stream().map(Entry::number).toList();
    }

    /** Waits until an entry with this number was delivered. */
    void await(long number) {
        Awaitility.await("the delivery of entry " + number + " to the consumer of the follower")
                .atMost(ConcurrentTasks.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> numbers().contains(number) || isLost());
    }

    /** Returns whether the follower reported that an entry is missing, and therefore waits for it. */
    private boolean isLost() {
        return failures.stream().anyMatch(CorruptDataException.class::isInstance);
    }

    /** Checks that each entry was delivered once, and no failure reported. */
    void checkEach(long from, long to) {
        assertThat(numbers()).as("the delivered numbers").isEqualTo(numbers(from, to));
        assertThat(failures).as("the reported failures").isEmpty();
    }

    static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    /** Appends entries whose field {@code i} is 1, 2, 3, … */
    static void append(Sequence sequence, int count) {
        for (int i = 0; i < count; i++) {
            sequence.append(Map.of("i", i + 1L));
        }
    }

    /** Appends an entry unless the sequence is sealed. Returns whether it was appended. */
    static boolean isAppended(Sequence sequence) {
        try {
            sequence.next();
            return true;
        } catch (SealedException e) {
            return false;
        }
    }
}
