package io.counterkit.verification.broken.flaw;

import io.counterkit.NamePage;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Changes pages of names. */
public final class Pages {
    private Pages() {}

    /** Returns a page without the names for which {@code isListed} is false, and with the same cursor. */
    public static CompletableFuture<NamePage> filtered(CompletableFuture<NamePage> found, Predicate<String> isListed) {
        return found.thenApply(
                page -> new NamePage(page.names().stream().filter(isListed).toList(), page.next()));
    }
}
