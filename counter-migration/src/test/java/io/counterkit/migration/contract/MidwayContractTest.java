package io.counterkit.migration.contract;

import io.counterkit.CountersListener;
import io.counterkit.NamePage;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The contract while another process moves each name at some moment after its first use. */
class MidwayContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MovingFixture();
    }

    /** A fixture with a thread that moves all names of the source, without faults. */
    private static final class MovingFixture extends MigrationFixture {
        private final Thread mover = new Thread(this::moveAll, "mover");
        private volatile boolean open = true;

        MovingFixture() {
            super(0);
            mover.setDaemon(true);
            mover.start();
        }

        private void moveAll() {
            try (MigratingBackend process = connectUndisturbed()) {
                while (open) {
                    Call call = new Call(Duration.ofSeconds(20), CountersListener.disabled());
                    for (Kind kind : Kind.values()) {
                        namesAtSource(process.source(), kind, call)
                                .names()
                                .forEach(name -> process.move(kind, name, call).join());
                    }
                    LockSupport.parkNanos(100_000);
                }
            }
        }

        private static NamePage namesAtSource(CounterBackend source, Kind kind, Call call) {
            return kind == Kind.COUNTER
                    ? source.counters().names("", null, 1000, call).join()
                    : source.sequences().names("", null, 1000, call).join();
        }

        @Override
        public void close() {
            open = false;
            try {
                mover.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.close();
        }
    }
}
