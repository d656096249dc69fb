package io.counterkit.firestore.internal.deployment;

import io.counterkit.firestore.DeploymentReport;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;

/** Logs the parts of the deployment that are missing in the database of a new backend. */
public final class StartCheck {
    private static final System.Logger LOG = System.getLogger("io.counterkit.firestore");

    private StartCheck() {}

    /** Logs the missing parts when the check has ended. */
    public static void log(CompletableFuture<DeploymentReport> check) {
        CompletableFuture<?> unused = check.handle((report, failure) -> {
            if (failure != null) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The deployment for the counters was not checked: " + Reasons.of(Futures.unwrap(failure)));
                return null;
            }
            for (DeploymentReport.Finding finding : report.missing()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "Missing in Firestore: " + finding.what() + ". Without it: " + finding.effect()
                                + ". Deploy it: " + String.join("; ", finding.commands()));
            }
            return null;
        });
    }
}
