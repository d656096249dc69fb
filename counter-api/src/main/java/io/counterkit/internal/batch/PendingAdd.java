package io.counterkit.internal.batch;

import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;

/** An add of a caller. */
public final class PendingAdd extends PendingChange<Void> {
    final AddRequest request;

    public PendingAdd(AddRequest request, PendingRequests pending) {
        super(
                ChangeTarget.counter(request.name()),
                "add " + request.delta() + " to '" + request.name() + "'",
                0,
                request.token(),
                pending);
        this.request = request;
    }

    @Override
    GeneratedToken generatedToken(Commit commit, int index) {
        return GeneratedToken.add(commit, index, request.name(), request.delta());
    }
}
