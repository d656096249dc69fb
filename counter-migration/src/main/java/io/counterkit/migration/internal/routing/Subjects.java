package io.counterkit.migration.internal.routing;

import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Subjects from before a move: the target is told what the source knows of them, before they change there. */
class Subjects {
    private static final int MOST_REMEMBERED = 10_000;

    private final StorePair ends;
    private final RecentlyUsed<Subject, Boolean> told = new RecentlyUsed<>(MOST_REMEMBERED);

    Subjects(StorePair ends) {
        this.ends = ends;
    }

    private record Subject(String sequence, String subject) {}

    /** Done once the target knows all that there is to know of the subjects of these requests. */
    CompletableFuture<?> tell(String sequence, List<AppendRequest> requests, MoveRecord moved, Call call) {
        if (moved.base().last() == 0) {
            return CompletableFuture.completedFuture(true);
        }
        return Futures.all(requests.stream()
                .map(AppendRequest::subject)
                .filter(Objects::nonNull)
                .distinct()
                .map(subject -> tell(new Subject(sequence, subject), call))
                .toList());
    }

    private CompletableFuture<Boolean> tell(Subject subject, Call call) {
        if (told.get(subject) != null) {
            return CompletableFuture.completedFuture(true);
        }
        return ends.ask(call, () -> ends.source().migration().subject(subject.sequence(), subject.subject(), call))
                .thenCompose(isLive -> isLive.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : ends.ask(
                                call,
                                () -> ends.target()
                                        .migration()
                                        .importSubject(subject.sequence(), subject.subject(), isLive.get(), call)))
                .thenApply(done -> {
                    told.put(subject, true);
                    return true;
                });
    }
}
