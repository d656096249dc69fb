package io.counterkit.tck.internal.history;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.tck.internal.history.BruteForce.Call;
import io.counterkit.tck.internal.history.BruteForce.Failed;
import io.counterkit.tck.internal.history.BruteForce.Observed;
import io.counterkit.tck.internal.history.BruteForce.Recent;
import io.counterkit.tck.internal.history.BruteForce.SealedBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Changes one thing in a history, which may be legal afterwards or not. */
final class Mutation {
    private final Random random;
    private final String name;

    Mutation(Random random, String name) {
        this.random = random;
        this.name = name;
    }

    List<Observed> of(List<Observed> history) {
        List<Observed> changed = new ArrayList<>(history);
        int place = random.nextInt(changed.size());
        Observed one = changed.get(place);
        int other = random.nextInt(changed.size());
        Observed two = changed.get(other);
        switch (random.nextInt(8)) {
            case 0 -> { // the same answers at other times
                changed.set(place, at(one, two.start(), two.end()));
                changed.set(other, at(two, one.start(), one.end()));
            }
            case 1 -> {
                if (one.call().kind().equals(two.call().kind()) && one.isUnknown() == two.isUnknown()) {
                    changed.set(place, one.with(two.answer()));
                    changed.set(other, two.with(one.answer()));
                }
            }
            case 2 -> {
                Call call = one.call();
                if (call.token() != null) {
                    Call with = new Call(call.kind(), call.number(), call.text(), random.nextBoolean() ? "t" : "tt");
                    changed.set(
                            place, new Observed(one.process(), one.start(), one.end(), with, one.own(), one.answer()));
                }
            }
            default -> changed.set(place, one.with(answer(one.call(), one.answer())));
        }
        return changed;
    }

    private static Observed at(Observed of, long start, long end) {
        return new Observed(of.process(), start, end, of.call(), of.own(), of.answer());
    }

    private Object answer(Call call, Object answer) {
        if (answer instanceof Recent recent) {
            return random.nextBoolean()
                    ? new Recent(recent.total() + sign(), recent.age())
                    : new Recent(recent.total(), random.nextInt(Math.toIntExact(recent.age() + 1)));
        }
        boolean isRead = !call.kind().equals("resolve")
                && (answer instanceof Long
                        || answer instanceof Tail
                        || answer instanceof List<?>
                        || call.kind().equals("listed"));
        if (!isRead && random.nextInt(3) == 0) {
            return failed(call);
        }
        if (answer instanceof Long number) {
            return number + sign();
        }
        if (answer instanceof Boolean is) {
            return call.kind().equals("listed") ? !is : failed(call);
        }
        if (answer instanceof Resolution resolution) {
            return resolution(resolution);
        }
        if (answer instanceof Seal seal) {
            return seal(seal);
        }
        if (answer instanceof SealedBy by) {
            return new SealedBy(seal(by.seal()));
        }
        if (answer instanceof Tail tail) {
            return tail(tail);
        }
        if (answer instanceof Entry entry) {
            return entry(entry);
        }
        return answer instanceof List<?> entries ? entries(entries) : known(call);
    }

    private Object failed(Call call) {
        return call.kind().equals("resolve")
                ? Failed.UNKNOWN
                : List.of(Failed.values()).get(random.nextInt(4));
    }

    /** Returns an answer of a call that has none. */
    private Object known(Call call) {
        return switch (call.kind()) {
            case "append" -> {
                SequenceOracle.Wish wish = SequenceOracle.Wish.of(call);
                long number = 1L + random.nextInt(3);
                yield new Entry(
                        number,
                        Instant.EPOCH,
                        wish.change(),
                        wish.subject(),
                        Map.of("value", wish.value()),
                        random.nextInt(3),
                        false);
            }
            case "seal" -> new Seal(String.valueOf(call.text()), random.nextInt(3), random.nextInt(3));
            case "resolve" -> resolution(new Resolution.NotApplied());
            default -> true;
        };
    }

    private long sign() {
        return random.nextBoolean() ? 1 : -1;
    }

    private Resolution resolution(Resolution resolution) {
        return switch (random.nextInt(4)) {
            case 0 -> new Resolution.NotApplied();
            case 1 -> new Resolution.Done(name);
            case 2 ->
                resolution instanceof Resolution.Added added
                        ? new Resolution.Added(name, added.delta() + sign())
                        : new Resolution.Added(name, 1);
            default -> new Resolution.Appended(name, 1 + random.nextInt(2));
        };
    }

    private Seal seal(Seal seal) {
        return switch (random.nextInt(3)) {
            case 0 -> new Seal(seal.forward().equals("x") ? "y" : "x", seal.last(), seal.liveCount());
            case 1 -> new Seal(seal.forward(), seal.last() + sign(), seal.liveCount());
            default -> new Seal(seal.forward(), seal.last(), seal.liveCount() + sign());
        };
    }

    private Tail tail(Tail tail) {
        return switch (random.nextInt(3)) {
            case 0 -> new Tail(tail.last() + sign(), tail.liveCount(), tail.seal());
            case 1 -> new Tail(tail.last(), tail.liveCount() + sign(), tail.seal());
            default ->
                new Tail(
                        tail.last(),
                        tail.liveCount(),
                        tail.seal() == null ? new Seal("x", tail.last(), tail.liveCount()) : null);
        };
    }

    private Entry entry(Entry entry) {
        return switch (random.nextInt(6)) {
            case 0 -> entry(entry, entry.number() + sign(), entry.change(), entry.subject(), entry.liveCount());
            case 1 ->
                entry(
                        entry,
                        entry.number(),
                        entry.change() == Change.ADDED ? Change.UPDATED : Change.ADDED,
                        entry.subject(),
                        entry.liveCount());
            case 2 ->
                entry(entry, entry.number(), entry.change(), entry.subject() == null ? "u" : null, entry.liveCount());
            case 3 -> entry(entry, entry.number(), entry.change(), entry.subject(), entry.liveCount() + sign());
            case 4 -> entry.withoutFields();
            default ->
                new Entry(
                        entry.number(),
                        entry.appendedAt(),
                        entry.change(),
                        entry.subject(),
                        random.nextBoolean() ? Map.of("value", "v" + (1 + random.nextInt(3))) : Map.of(),
                        entry.liveCount(),
                        false);
        };
    }

    private static Entry entry(Entry of, long number, Change change, @Nullable String subject, long liveCount) {
        return new Entry(number, of.appendedAt(), change, subject, of.fields(), liveCount, of.erased());
    }

    private Object entries(List<?> entries) {
        if (entries.isEmpty()) {
            return List.of(known(new Call("append", 0, "ADDED  v1", null)));
        }
        List<Object> changed = new ArrayList<>(entries);
        int place = random.nextInt(changed.size());
        switch (random.nextInt(5)) {
            case 0 -> changed.remove(place);
            case 1 -> changed.add(place, changed.get(place));
            case 2 -> Collections.swap(changed, place, random.nextInt(changed.size()));
            case 3 -> changed.set(place, changed.get(random.nextInt(changed.size())));
            default -> changed.set(place, entry((Entry) changed.get(place)));
        }
        return List.copyOf(changed);
    }
}
