package io.counterkit.verification.broken;

import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.Injection;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** A fixture of flawed backends over a store in memory. Faults occur below the flaw. */
public final class FlawedFixture implements BackendFixture, FaultInjector {
    private static final long LATENCY = TimeUnit.MICROSECONDS.toNanos(200);

    private final InMemoryStore store;
    private final boolean posted;
    private final UnaryOperator<CounterBackend> flaw;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    FlawedFixture(Flaw flaw) {
        this.store = InMemoryStore.create(
                InMemoryOptions.builder().batches(flaw.batches()).build());
        this.posted = !flaw.batches().direct();
        this.flaw = flaw.stores().get();
    }

    /** Returns a fixture of correct backends without optional capabilities. */
    public static BackendFixture modest() {
        return new FlawedFixture(Flaws.modest());
    }

    @Override
    public CounterBackend connect() {
        CounterBackend right = InMemoryBackend.over(store);
        return flaw.apply(posted ? Posted.on(this::post, right) : right);
    }

    /** Delays each call, so that other requests arrive meanwhile. */
    private void post(Runnable call) {
        executor.execute(() -> {
            LockSupport.parkNanos(LATENCY);
            call.run();
        });
    }

    @Override
    public FaultInjector faults() {
        return this;
    }

    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        Injection injection = store.faults()
                .inject(
                        switch (fault) {
                            case FAIL_BEFORE -> Fault.FAIL;
                            case LOSE_REPLY -> Fault.LOSE_REPLY;
                            case HOLD -> Fault.HOLD;
                        },
                        Calls.next().skipping(call - 1));
        return new InjectedFault() {
            @Override
            public boolean isHit() {
                return injection.hits() > 0;
            }

            @Override
            public void close() {
                injection.release();
            }
        };
    }

    @Override
    public void close() {
        store.faults().clear();
        executor.shutdown();
    }
}
