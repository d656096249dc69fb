package io.counterkit.tck.internal.history;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.tck.internal.history.BruteForce.Call;
import io.counterkit.tck.internal.history.BruteForce.Failed;
import io.counterkit.tck.internal.history.BruteForce.Model;
import io.counterkit.tck.internal.history.BruteForce.Observed;
import io.counterkit.tck.internal.history.BruteForce.Outcome;
import io.counterkit.tck.internal.history.BruteForce.SealedBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A sequence as SPEC.md describes it. The text of an append is its change, its subject and its value. */
final class SequenceOracle implements Model<SequenceOracle.Numbered> {
    static final String NAME = "s";
    static final Numbered EMPTY = new Numbered(List.of(), null, Map.of());

    /** An entry as it was appended, and whether it was erased. */
    record Row(Entry whole, boolean isErased) {
        Entry shown() {
            return isErased ? whole.withoutFields() : whole;
        }
    }

    record Numbered(List<Row> rows, @Nullable Seal seal, Map<String, Resolution> tokens) {
        long live() {
            return rows.stream().mapToLong(row -> row.whole().change().delta()).sum();
        }

        Numbered decided(String token, Resolution resolution) {
            Map<String, Resolution> more = new TreeMap<>(tokens);
            more.put(token, resolution);
            return new Numbered(rows, seal, more);
        }
    }

    /** What an append asks for. */
    record Wish(Change change, @Nullable String subject, String value) {
        static Wish of(Call call) {
            String[] parts = Objects.requireNonNull(call.text()).split(" ", -1);
            return new Wish(Change.valueOf(parts[0]), parts[1].isEmpty() ? null : parts[1], parts[2]);
        }
    }

    @Override
    public List<Outcome<Numbered>> outcomes(Numbered state, Observed observed) {
        Call call = observed.call();
        return switch (call.kind()) {
            case "tail" -> List.of(new Outcome<>(new Tail(state.rows().size(), state.live(), state.seal()), state));
            case "read" ->
                List.of(new Outcome<>(state.rows().stream().map(Row::shown).toList(), state));
            case "listed" -> List.of(new Outcome<>(!state.rows().isEmpty() || state.seal() != null, state));
            case "length" -> List.of(new Outcome<>((long) state.rows().size(), state));
            case "entry" ->
                call.number() < 1 || call.number() > state.rows().size()
                        ? List.of()
                        : List.of(new Outcome<>(
                                state.rows().get((int) call.number() - 1).shown(), state));
            case "resolve" -> {
                String token = Objects.requireNonNull(call.token());
                Resolution resolution = state.tokens().getOrDefault(token, new Resolution.NotApplied());
                yield List.of(new Outcome<>(resolution, state.decided(token, resolution)));
            }
            case "append" -> appended(state, call, observed.token());
            case "erase" -> erased(state, call, observed.token());
            default -> sealed(state, call, observed.token());
        };
    }

    @Override
    public Object refreshed(Numbered state, Object answer, Random random) {
        if (answer instanceof Entry entry) {
            return random.nextBoolean()
                    ? entry
                    : state.rows().get((int) entry.number() - 1).shown();
        }
        return answer instanceof List<?> entries
                ? entries.stream().map(entry -> refreshed(state, entry, random)).toList()
                : answer;
    }

    /** A read shows how many entries there are at one moment, and each of them at another one. */
    @Override
    public List<Observed> parts(Observed observed) {
        List<Observed> parts = new ArrayList<>();
        if (observed.answer() instanceof List<?> entries) {
            parts.add(part(observed, "length", 0, (long) entries.size()));
            for (int i = 0; i < entries.size(); i++) {
                parts.add(part(observed, "entry", i + 1L, entries.get(i)));
            }
        } else if (observed.answer() instanceof Entry entry) {
            parts.add(observed);
            parts.add(part(observed, "entry", entry.number(), entry));
        } else {
            parts.add(observed);
        }
        return parts;
    }

    private static Observed part(Observed of, String kind, long number, Object answer) {
        return new Observed(of.process(), of.start(), of.end(), new Call(kind, number, null, null), of.own(), answer);
    }

    private static List<Outcome<Numbered>> appended(Numbered state, Call call, String token) {
        Wish wish = Wish.of(call);
        Resolution resolution = state.tokens().get(token);
        Outcome<Numbered> refused = new Outcome<>(Failed.TOKEN_REFUSED, state);
        if (resolution instanceof Resolution.Appended known) {
            Row row = state.rows().get((int) known.number() - 1);
            boolean isSame = row.whole().change() == wish.change()
                    && Objects.equals(row.whole().subject(), wish.subject());
            return isSame ? entry(row, state) : List.of(refused);
        }
        if (resolution != null && resolution.applied()) {
            return List.of(refused);
        }
        List<Outcome<Numbered>> possible = new ArrayList<>();
        if (resolution != null) {
            possible.add(refused);
        }
        if (state.seal() != null) {
            possible.add(new Outcome<>(new SealedBy(state.seal()), state));
        } else if (wish.subject() != null && isLive(state, wish.subject()) == (wish.change() == Change.ADDED)) {
            possible.add(new Outcome<>(Failed.REFUSED, state));
        } else if (resolution == null) {
            Entry entry = new Entry(
                    state.rows().size() + 1L,
                    Instant.EPOCH,
                    wish.change(),
                    wish.subject(),
                    Map.of("value", wish.value()),
                    state.live() + wish.change().delta(),
                    false);
            List<Row> more = new ArrayList<>(state.rows());
            Row row = new Row(entry, false);
            more.add(row);
            possible.addAll(entry(
                    row,
                    new Numbered(more, null, state.tokens())
                            .decided(token, new Resolution.Appended(NAME, more.size()))));
        }
        return possible;
    }

    private static boolean isLive(Numbered state, String subject) {
        boolean isLive = false;
        for (Row row : state.rows()) {
            if (subject.equals(row.whole().subject())) {
                isLive = row.whole().change() != Change.REMOVED;
            }
        }
        return isLive;
    }

    /**
     * Returns the answers that have an entry, with its fields or without. Whether it is erased is seen at another
     * moment.
     */
    private static List<Outcome<Numbered>> entry(Row row, Numbered after) {
        Entry other = row.isErased() ? row.whole() : row.whole().withoutFields();
        return List.of(new Outcome<>(row.shown(), after), new Outcome<>(other, after));
    }

    private static List<Outcome<Numbered>> erased(Numbered state, Call call, String token) {
        int number = (int) call.number();
        if (state.tokens().containsKey(token)) {
            return List.of(new Outcome<>(Failed.TOKEN_REFUSED, state));
        }
        if (number > state.rows().size()) {
            return List.of(new Outcome<>(Failed.REFUSED, state));
        }
        List<Row> rows = new ArrayList<>(state.rows());
        rows.set(number - 1, new Row(rows.get(number - 1).whole(), true));
        return List.of(new Outcome<>(
                true, new Numbered(rows, state.seal(), state.tokens()).decided(token, new Resolution.Done(NAME))));
    }

    private static List<Outcome<Numbered>> sealed(Numbered state, Call call, String token) {
        String forward = Objects.requireNonNull(call.text());
        if (state.tokens().containsKey(token)) {
            return List.of(new Outcome<>(Failed.TOKEN_REFUSED, state));
        }
        Seal seal = state.seal() != null
                ? state.seal()
                : new Seal(forward, state.rows().size(), state.live());
        return List.of(
                seal.forward().equals(forward)
                        ? new Outcome<>(
                                seal,
                                new Numbered(state.rows(), seal, state.tokens())
                                        .decided(token, new Resolution.Done(NAME)))
                        : new Outcome<>(new SealedBy(seal), state));
    }

    /** Returns a random call, with one of these tokens where it has one. */
    static Call call(Random random, List<String> tokens, int index) {
        String token = tokens.get(random.nextInt(tokens.size()));
        Change change = List.of(Change.values()).get(random.nextInt(3));
        boolean isPlain = token.equals("t") || random.nextInt(3) == 0;
        String wish = (isPlain ? "ADDED " : change + " u") + " v" + index;
        return switch (random.nextInt(13)) {
            case 0, 1, 2 -> new Call("append", 0, wish, null);
            case 3, 4, 5 -> new Call("append", 0, wish, token);
            case 6 -> new Call("resolve", 0, null, token);
            case 7, 8 -> new Call("erase", 1 + random.nextInt(2), null, null);
            case 9 ->
                random.nextInt(3) == 0
                        ? new Call("seal", 0, random.nextBoolean() ? "x" : "y", null)
                        : new Call("tail", 0, null, null);
            case 10 -> new Call("tail", 0, null, null);
            case 11 -> new Call("listed", 0, null, null);
            default -> new Call("read", 0, null, null);
        };
    }
}
