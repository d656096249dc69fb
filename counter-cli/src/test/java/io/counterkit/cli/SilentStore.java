package io.counterkit.cli;

import io.counterkit.cli.backend.Backends;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The command as a process of its own, on a store that never answers an add. */
final class SilentStore {
    private SilentStore() {}

    public static void main(String[] args) {
        Main.runInProcess(
                Backends.of(new TestBackend(new AlteredBackend() {
                    @Override
                    protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                        return new CompletableFuture<>();
                    }
                })),
                args);
    }
}
