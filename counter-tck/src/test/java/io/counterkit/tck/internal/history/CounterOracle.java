package io.counterkit.tck.internal.history;

import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.tck.internal.history.BruteForce.Call;
import io.counterkit.tck.internal.history.BruteForce.Failed;
import io.counterkit.tck.internal.history.BruteForce.Model;
import io.counterkit.tck.internal.history.BruteForce.Observed;
import io.counterkit.tck.internal.history.BruteForce.Outcome;
import io.counterkit.tck.internal.history.BruteForce.Recent;
import io.counterkit.tck.internal.history.BruteForce.SealedBy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A counter as SPEC.md describes it. */
final class CounterOracle implements Model<CounterOracle.Counted> {
    static final String NAME = "c";
    static final Counted ABSENT = new Counted(false, 0, null, Map.of());

    record Counted(boolean isPresent, long total, @Nullable Seal seal, Map<String, Resolution> tokens) {
        Counted decided(String token, Resolution resolution) {
            Map<String, Resolution> more = new TreeMap<>(tokens);
            more.put(token, resolution);
            return new Counted(isPresent, total, seal, more);
        }
    }

    @Override
    public List<Outcome<Counted>> outcomes(Counted state, Observed observed) {
        Call call = observed.call();
        return switch (call.kind()) {
            case "read" -> List.of(new Outcome<>(state.total(), state));
            case "recent" -> List.of(new Outcome<>(new Recent(state.total(), 0), state));
            case "listed" -> List.of(new Outcome<>(state.isPresent(), state));
            case "resolve" -> List.of(resolved(state, Objects.requireNonNull(call.token())));
            default -> changed(state, call, observed.token());
        };
    }

    @Override
    public @Nullable Object old(Counted state, Call call, long age) {
        return call.kind().equals("recent") ? new Recent(state.total(), age) : null;
    }

    /** Returns a read whose total may be old as a strong one that began earlier. */
    @Override
    public List<Observed> parts(Observed observed) {
        if (!(observed.answer() instanceof Recent recent)) {
            return List.of(observed);
        }
        Call read = new Call("read", 0, null, null);
        long start = observed.start() - recent.age();
        return List.of(new Observed(observed.process(), start, observed.end(), read, observed.own(), recent.total()));
    }

    private static Outcome<Counted> resolved(Counted state, String token) {
        Resolution resolution = state.tokens().getOrDefault(token, new Resolution.NotApplied());
        return new Outcome<>(resolution, state.decided(token, resolution));
    }

    private static List<Outcome<Counted>> changed(Counted state, Call call, String token) {
        Resolution resolution = state.tokens().get(token);
        Resolution own =
                call.kind().equals("add") ? new Resolution.Added(NAME, call.number()) : new Resolution.Done(NAME);
        Outcome<Counted> refused = new Outcome<>(Failed.TOKEN_REFUSED, state);
        Seal seal = state.seal();
        boolean isSealAgain =
                call.kind().equals("seal") && seal != null && seal.forward().equals(call.text());
        if (resolution != null && resolution.applied()) {
            return List.of(resolution.equals(own) ? new Outcome<>(true, state) : refused);
        }
        if (seal != null && !isSealAgain) {
            Outcome<Counted> sealed = new Outcome<>(new SealedBy(seal), state);
            return resolution == null ? List.of(sealed) : List.of(refused, sealed);
        }
        if (resolution != null) {
            return List.of(refused);
        }
        return switch (call.kind()) {
            case "add" ->
                List.of(new Outcome<>(
                        true,
                        new Counted(true, state.total() + call.number(), null, state.tokens()).decided(token, own)));
            case "reset" ->
                List.of(new Outcome<>(
                        true, new Counted(state.isPresent(), 0, null, state.tokens()).decided(token, own)));
            case "delete" ->
                List.of(new Outcome<>(true, new Counted(false, 0, null, state.tokens()).decided(token, own)));
            default -> {
                Seal now = seal != null
                        ? seal
                        : new Seal(Objects.requireNonNull(call.text()), state.total(), state.total());
                yield List.of(new Outcome<>(
                        now, new Counted(state.isPresent(), state.total(), now, state.tokens()).decided(token, own)));
            }
        };
    }

    /** Returns a random call, with one of these tokens or a new one where it has one. */
    static Call call(Random random, List<String> tokens) {
        String token = tokens.get(random.nextInt(tokens.size()));
        long delta = random.nextInt(3) + 1L;
        return switch (random.nextInt(14)) {
            case 0, 1 -> new Call("add", delta, null, null);
            case 2, 3, 4 -> new Call("add", token.startsWith("t") ? token.length() : delta, null, token);
            case 5 -> new Call("add", delta, null, token);
            case 6 -> new Call("resolve", 0, null, token);
            case 7 -> new Call(random.nextBoolean() ? "reset" : "delete", 0, null, null);
            case 8 -> new Call("seal", 0, random.nextBoolean() ? "x" : "y", null);
            case 9 -> new Call("listed", 0, null, null);
            case 10, 11 -> new Call("recent", 0, null, null);
            default -> new Call("read", 0, null, null);
        };
    }
}
