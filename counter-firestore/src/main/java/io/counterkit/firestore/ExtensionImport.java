package io.counterkit.firestore;

import io.counterkit.firestore.internal.extension.CountedField;
import io.counterkit.firestore.internal.extension.ExtensionPass;
import io.counterkit.firestore.internal.extension.ExtensionSource;
import io.counterkit.firestore.internal.extension.ImportLoop;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes over the counters of the Firebase extension <em>Distributed Counter</em> while applications use them.
 *
 * <p>Field {@code visits} of document {@code pages/home} becomes the counter {@code pages/home/visits}. Clients may
 * continue to write as the extension does, into {@code _counter_shards_}. Each pass adds these writes to the counter
 * exactly once, and sets the field to the counter's total, so pages may continue to listen to the field. The
 * extension's function and any number of imports may run at the same time, and an import may be killed.
 *
 * <p>The field always has the value that the extension needs, so the application can return to the extension at any
 * time: stop adding to the counter, call {@link #run} once more, and enable the extension's function again. If an
 * application sets the field, the counter is changed by the same amount.
 *
 * <p>Counters hold whole numbers. A field or shard with another value is reported and not changed. Thread-safe.
 */
public final class ExtensionImport implements AutoCloseable {
    private final ExtensionSource source;
    private final FirestoreCounterBackend backend;
    private @Nullable ImportLoop loop;
    private @Nullable Consumer<List<String>> observer;

    private ExtensionImport(ExtensionSource source) {
        this.source = source;
        this.backend = source.backend();
    }

    /**
     * Creates an import. Does not access the store.
     *
     * @param backend the backend of the counters, in the extension's database
     * @param collection the path of the collection whose documents have the fields, like {@code pages}
     * @param fields the fields, like {@code visits} or {@code stats.views}
     * @throws IllegalArgumentException if {@code collection} is not the path of a collection or contains data of the
     *     backend itself, or if there are no valid fields
     */
    public static ExtensionImport of(FirestoreCounterBackend backend, String collection, List<String> fields) {
        Layout.checkCollection("collection", collection);
        backend.schema().layout().checkIsNotOwn(collection);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("collection '" + collection + "' without fields: name at least one");
        }
        return new ExtensionImport(new ExtensionSource(
                backend,
                backend.schema(),
                backend.schema().firestore().collection(collection),
                fields.stream().distinct().map(CountedField::of).toList()));
    }

    /**
     * Takes over all documents of the collection, and drains their shards.
     *
     * <p>Idempotent; call it again after the extension was uninstalled. Costs three reads for each document, one for
     * each counter, one for each shard, one for each 300 documents, and a transaction for each document with changes.
     * The memory use does not grow with the number of documents. The future fails with {@link
     * io.counterkit.NotAppliedException} if the store cannot be read; some documents may then have been taken over.
     */
    public CompletableFuture<ExtensionImportReport> run() {
        return new ExtensionPass(source, () -> false).overAll();
    }

    /**
     * Drains the shards that clients of the extension have written, and updates the fields of their documents. Costs
     * one read if there are no shards. Otherwise as {@link #run}.
     */
    public CompletableFuture<ExtensionImportReport> drain() {
        return new ExtensionPass(source, () -> false).overChanged(List.of());
    }

    /**
     * Takes over all documents in the background. Then repeats, after each pause and until {@link #close}: drains
     * shards as {@link #drain} does, and sets the fields of counters that this process has changed.
     *
     * <p>Every process that adds to the counters should run this. Failed passes are logged and repeated.
     *
     * @param pause the time between two passes, 1 ms to 1 day; with 1 second, fields are as fresh as with the extension
     * @throws IllegalArgumentException if {@code pause} is out of range
     * @throws IllegalStateException if the import was started before
     */
    public synchronized void start(Duration pause) {
        if (loop != null) {
            throw new IllegalStateException("the import was started already: create another one");
        }
        ImportLoop starting =
                new ImportLoop(source, Limits.checkDuration("pause", pause).toNanos());
        loop = starting;
        observer = starting::changed;
        backend.observe(observer);
        starting.start();
    }

    /**
     * Ends the background work. Waits for the documents that are being taken over, at most eight. Close this before the
     * backend.
     */
    @Override
    public void close() {
        CompletableFuture<?> end;
        synchronized (this) {
            if (loop == null || observer == null) {
                return;
            }
            backend.unobserve(observer);
            end = loop.close();
        }
        end.join();
    }
}
