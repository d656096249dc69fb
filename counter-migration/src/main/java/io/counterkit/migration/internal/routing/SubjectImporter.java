package io.counterkit.migration.internal.routing;

import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.RecentlyUsed;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Imports into the target whether subjects are live at the source, before they change at the target. */
class SubjectImporter {
    private static final int MOST_CACHED = 10_000;

    private final StorePair stores;
    private final RecentlyUsed<Subject, Boolean> imported = new RecentlyUsed<>(MOST_CACHED);

    SubjectImporter(StorePair stores) {
        this.stores = stores;
    }

    private record Subject(String sequence, String subject) {}

    /** Imports the subjects of these requests. */
    CompletableFuture<?> importAll(String sequence, List<AppendRequest> requests, MoveRecord moved, Call call) {
        if (moved.base().last() == 0) {
            return CompletableFuture.completedFuture(true);
        }
        return Futures.all(requests.stream()
                .map(AppendRequest::subject)
                .filter(Objects::nonNull)
                .distinct()
                .map(subject -> importOne(new Subject(sequence, subject), call))
                .toList());
    }

    private CompletableFuture<Boolean> importOne(Subject subject, Call call) {
        if (imported.get(subject) != null) {
            return CompletableFuture.completedFuture(true);
        }
        return stores.send(call, () -> stores.source().migration().subject(subject.sequence(), subject.subject(), call))
                .thenCompose(isLive -> isLive.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : stores.send(
                                call,
                                () -> stores.target()
                                        .migration()
                                        .importSubject(subject.sequence(), subject.subject(), isLive.get(), call)))
                .thenApply(done -> {
                    imported.put(subject, true);
                    return true;
                });
    }
}
