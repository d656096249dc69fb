package io.counterkit.cli.firestore;

import io.counterkit.cli.backend.Deployment;
import io.counterkit.cli.console.Json;
import io.counterkit.firestore.DeploymentReport;
import io.counterkit.firestore.DeploymentReport.Finding;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;

/** The indexes, exemptions and the TTL policy of a Firestore database. */
record FirestoreDeployment(FirestoreCounterBackend backend) implements Deployment {
    @Override
    public Findings check() {
        DeploymentReport report = Futures.join(backend.checkDeployment());
        List<String> lines = new ArrayList<>();
        List<Json> json = new ArrayList<>();
        for (Finding finding : report.findings()) {
            String state = word(finding.state());
            lines.add(String.format("%-9s%s", state, finding.what()));
            if (!finding.effect().isEmpty()) {
                lines.add("         " + finding.effect());
            }
            finding.commands().forEach(command -> lines.add("         " + command));
            json.add(Json.object()
                    .with("state", state)
                    .with("what", finding.what())
                    .with("effect", finding.effect())
                    .with("commands", finding.commands()));
        }
        if (!report.missing().isEmpty()) {
            lines.add("all at once: firebase deploy --only firestore:indexes, with the file firestore.indexes.json of"
                    + " counter-firestore");
        }
        return new Findings(report.missing().isEmpty(), lines, Json.object().with("findings", json));
    }

    private static String word(DeploymentReport.State state) {
        return switch (state) {
            case PRESENT -> "present";
            case MISSING -> "missing";
            case UNSEEN -> "unseen";
        };
    }
}
