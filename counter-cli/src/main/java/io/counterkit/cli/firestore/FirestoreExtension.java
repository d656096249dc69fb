package io.counterkit.cli.firestore;

import io.counterkit.CounterException;
import io.counterkit.cli.backend.ExtensionCounters;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.spi.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The extension's counters in the database of a backend. */
record FirestoreExtension(FirestoreCounterBackend backend) implements ExtensionCounters {
    @Override
    public Source of(String collection, List<String> fields) {
        ExtensionImport found = ExtensionImport.of(backend, collection, fields);
        return new Source() {
            @Override
            public Pass all() {
                return pass(found.run());
            }

            @Override
            public Pass written() {
                return pass(found.drain());
            }
        };
    }

    private static Pass pass(CompletableFuture<ExtensionImportReport> running) {
        ExtensionImportReport report;
        try {
            report = running.join();
        } catch (CompletionException e) {
            throw Futures.unwrap(e) instanceof CounterException failure ? failure : e;
        }
        return new Pass(
                report.documents(),
                report.counters(),
                report.shards(),
                report.added(),
                report.otherFields(),
                report.left().stream()
                        .map(left -> left.document() + ": " + left.reason())
                        .toList());
    }
}
