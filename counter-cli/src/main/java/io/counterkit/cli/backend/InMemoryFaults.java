package io.counterkit.cli.backend;

import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.Faults;
import io.counterkit.inmemory.Injection;
import io.counterkit.soak.FaultSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Disturbs calls in memory: a third each fails, loses its reply and is held. */
final class InMemoryFaults implements FaultSource {
    private final Faults faults;
    private final List<Injection> running = new ArrayList<>();
    private @Nullable Calls held;
    private long ended;

    InMemoryFaults(Faults faults) {
        this.faults = faults;
    }

    @Override
    public void start(double probability, long seed) {
        // Each injection draws from the calls that the ones before it let pass.
        double third = probability / 3;
        running.add(faults.inject(Fault.FAIL, calls(third, seed)));
        running.add(faults.inject(Fault.LOSE_REPLY, calls(third / (1 - third), seed + 1)));
        held = calls(third / (1 - 2 * third), seed + 2);
        running.add(faults.inject(Fault.HOLD, held));
    }

    private static Calls calls(double probability, long seed) {
        return Calls.all().withChance(probability, new Random(seed));
    }

    @Override
    public void release() {
        if (held != null) {
            // Injects the next fault first, so that there is no moment without one.
            Injection before = running.remove(running.size() - 1);
            running.add(faults.inject(Fault.HOLD, held));
            before.release();
            ended += before.hits();
        }
    }

    @Override
    public void stop() {
        held = null;
        running.forEach(Injection::release);
    }

    @Override
    public long count() {
        return ended + running.stream().mapToLong(Injection::hits).sum();
    }
}
