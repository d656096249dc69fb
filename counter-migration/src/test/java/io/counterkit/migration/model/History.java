package io.counterkit.migration.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.migration.internal.routing.World;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** The changes and reads of one world with their results, and the check against the final state. */
public final class History {
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Observation> observations = new ArrayList<>();
    private final Set<String> resolving = new HashSet<>();
    private final Set<String> voided = new HashSet<>();
    private final Set<String> applied = new HashSet<>();
    private final Set<Long> erased = new HashSet<>();
    private final Set<Long> notFound = new HashSet<>();

    /**
     * The result of a read.
     *
     * @param value a total, or a last number
     */
    public record Observation(Kind kind, int begun, int ended, long value) {}

    public void add(Attempt attempt) {
        attempts.add(attempt);
    }

    public void add(Observation sight) {
        observations.add(sight);
    }

    /** Records that the change may be void from now on. */
    public void resolving(String change) {
        resolving.add(change);
    }

    public void resolved(String change, Resolution resolution) {
        (resolution.applied() ? applied : voided).add(change);
    }

    public void erased(long number, boolean wasThere) {
        (wasThere ? erased : notFound).add(number);
    }

    /** Checks that no store holds the fields of an erased entry. */
    public void checkErased(Entry entry) {
        assertThat(erased.contains(entry.number()) && !entry.erased())
                .as("%s was erased", entry)
                .isFalse();
    }

    /** Repeats the changes of unknown outcome in another process, and checks the final state. */
    public void check(CounterBackend other, Call call) {
        Map<String, Attempt> changes = new LinkedHashMap<>();
        attempts.forEach(attempt -> changes.putIfAbsent(attempt.change, attempt));
        Map<String, Long> appended = new HashMap<>();
        long total = 0;
        for (Attempt change : changes.values()) {
            Long number = settle(change, other, call);
            if (number != null && change.kind == Kind.COUNTER) {
                total += change.delta;
            } else if (number != null) {
                appended.put(change.change, number);
            }
            assertThat(number == null && applied.contains(change.change))
                    .as("%s was resolved as applied and is not", change)
                    .isFalse();
        }
        Reading reading = other.counters()
                .read(List.of(World.NAME), Duration.ZERO, call)
                .join()
                .get(0)
                .orThrow();
        assertThat(reading.value()).as("the total").isEqualTo(total);
        assertThat(notFound)
                .as("entries that were there and not found to be erased")
                .isEmpty();
        checkNumbers(appended, other, call);
        checkObservations();
    }

    /** Returns the number of an entry, 0 for an add, null for a change that is never applied. */
    private Long settle(Attempt change, CounterBackend other, Call call) {
        List<Attempt> done = attempts.stream()
                .filter(attempt -> attempt.change.equals(change.change) && attempt.isDone())
                .toList();
        assertThat(voided.contains(change.change) && !done.isEmpty())
                .as("%s was resolved as not applied and is", change)
                .isFalse();
        if (change.kind == Kind.SEQUENCE && !done.isEmpty()) {
            assertThat(done.stream().map(Attempt::number).distinct())
                    .as("numbers of %s", change)
                    .hasSize(1);
        }
        if (change.token == null) {
            return !done.isEmpty() ? Long.valueOf(numberOf(done.get(0))) : settleByCommit(change, other, call);
        }
        Result<?> again = change.send(other).join();
        if (voided.contains(change.change)) {
            assertThat(again.failure()).as("%s again", change).isInstanceOf(TokenRefusedException.class);
            return null;
        }
        boolean isVoid = resolving.contains(change.change) && again.failure() instanceof TokenRefusedException;
        if (done.isEmpty() && (isVoid || again.failure() instanceof ChangeRefusedException)) {
            return null;
        }
        assertThat(again.failure()).as("%s again", change).isNull();
        long number = change.kind == Kind.COUNTER ? 0 : ((Entry) again.orThrow()).number();
        done.forEach(first -> assertThat(number).as("%s again", change).isEqualTo(numberOf(first)));
        return number;
    }

    private static long numberOf(Attempt done) {
        return done.kind == Kind.COUNTER ? 0 : done.number();
    }

    private static Long settleByCommit(Attempt change, CounterBackend other, Call call) {
        Resolution decided =
                other.resolve(change.commit.token(), change.target(), call).join();
        assertThat(decided.applied() && change.isRefused())
                .as("%s was refused and is applied", change)
                .isFalse();
        if (decided instanceof Resolution.Appended entry) {
            return entry.number();
        }
        return decided.applied() ? 0L : null;
    }

    private void checkNumbers(Map<String, Long> appended, CounterBackend other, Call call) {
        Tail tail = other.sequences().tail(World.NAME, call).join();
        List<Entry> entries = other.sequences()
                .read(World.NAME, new NumberRange(1, 1000), call)
                .join();
        assertThat(entries)
                .extracting(Entry::number)
                .isEqualTo(LongStream.rangeClosed(1, appended.size()).boxed().toList());
        assertThat(tail.last()).isEqualTo(appended.size());
        Map<String, Long> found = new HashMap<>();
        Set<String> subjects = new HashSet<>();
        long live = 0;
        for (Entry entry : entries) {
            live += entry.change().delta();
            assertThat(entry.liveCount()).as("%s", entry).isEqualTo(live);
            if (entry.subject() != null) {
                boolean wasLive = !subjects.add(entry.subject());
                assertThat(wasLive).as("the subject of %s was live", entry).isEqualTo(entry.change() != Change.ADDED);
                if (entry.change() == Change.REMOVED) {
                    subjects.remove(entry.subject());
                }
            }
            checkErased(entry);
            Object change = entry.fields().get("change");
            found.put(change == null ? "erased " + entry.number() : (String) change, entry.number());
        }
        assertThat(tail.liveCount()).isEqualTo(live);
        if (entries.stream().noneMatch(Entry::erased)) {
            assertThat(found).isEqualTo(appended);
        }
        for (Attempt sourceTokens : attempts) {
            for (Attempt later : attempts) {
                if (sourceTokens.kind == Kind.SEQUENCE
                        && later.kind == Kind.SEQUENCE
                        && sourceTokens.isDone()
                        && sourceTokens.ended < later.begun
                        && !sourceTokens.change.equals(later.change)
                        && isFirst(later)
                        && appended.containsKey(later.change)) {
                    assertThat(appended.get(later.change))
                            .as("%s after %s", later, sourceTokens)
                            .isGreaterThan(appended.get(sourceTokens.change));
                }
            }
        }
    }

    private boolean isFirst(Attempt later) {
        return attempts.stream().noneMatch(other -> other.change.equals(later.change) && other.begun < later.begun);
    }

    /** Checks that totals never decrease, since all deltas are positive. */
    private void checkObservations() {
        for (Observation sight : observations) {
            long surely = 0;
            long possibly = 0;
            Set<String> counted = new HashSet<>();
            Set<String> sure = new HashSet<>();
            for (Attempt attempt : attempts) {
                long size = attempt.kind == Kind.COUNTER ? attempt.delta : 1;
                if (attempt.kind == sight.kind() && attempt.begun < sight.ended() && counted.add(attempt.change)) {
                    possibly += size;
                }
                if (attempt.kind == sight.kind()
                        && attempt.isDone()
                        && attempt.ended < sight.begun()
                        && sure.add(attempt.change)) {
                    surely += size;
                }
            }
            assertThat(sight.value()).as("%s", sight).isBetween(surely, possibly);
            for (Observation later : observations) {
                if (later.kind() == sight.kind() && sight.ended() < later.begun()) {
                    assertThat(later.value()).as("%s after %s", later, sight).isGreaterThanOrEqualTo(sight.value());
                }
            }
        }
    }

    @Override
    public String toString() {
        return attempts + "\n" + observations + "\nvoid: " + voided + " applied: " + applied;
    }
}
