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
 * continue to write in the extension's way, into {@code _counter_shards_}; each pass adds what they have written to the
 * counter exactly once, and sets the field to the counter's total, so that pages may listen to it as before. The extension's
 * function may run meanwhile, and any number of these imports, also killed ones.
 *
 * <p>The field stays what the extension needs, so there is a way back at any time: stop adding to the counter, {@link #run}
 * once more, and let the extension's function work again. An application may also set the field: the counter follows.
 *
 * <p>Counters hold whole numbers. A field or shard that holds anything else is reported, and stays as it is. Thread-safe.
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
     * Creates an import. This method sends nothing.
     *
     * @param backend the backend that has the counters from now on, in the extension's database
     * @param collection the path of the collection whose documents count, like {@code pages}
     * @param fields the fields that they count in, like {@code visits} or {@code stats.views}
     * @throws IllegalArgumentException if {@code collection} is no path of a collection, or one in which the backend itself stores
     *     data, or if there are no valid fields
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
     * <p>Can be repeated, and should be after the extension was uninstalled. Costs three reads for each
     * document and one for each counter, a read for each shard and for each 300 documents, and for each document with changes a
     * transaction. The memory that it needs does not grow with the number of documents. The future
     * fails with {@link io.counterkit.NotAppliedException} if the store cannot be read; some documents may have been taken
     * over then.
     */
    public CompletableFuture<ExtensionImportReport> run() {
        return new ExtensionPass(source, () -> false).overAll();
    }

    /**
     * Drains the shards that clients of the extension have written, and brings the fields of their documents up to date.
     * Costs a read if there are none. Otherwise as {@link #run}.
     */
    public CompletableFuture<ExtensionImportReport> drain() {
        return new ExtensionPass(source, () -> false).overChanged(List.of());
    }

    /**
     * Takes over all documents in the background, and then continues until {@link #close}: drains shards as {@link #drain}
     * does, and sets the fields of counters that this process changes, each time after a pause.
     *
     * <p>Every process that adds to the counters should run this. Failed passes are logged and repeated.
     *
     * @param pause the time between two passes, 1 ms to 1 day; 1 second is as fresh as the extension
     * @throws IllegalStateException if it was started before
     */
    public synchronized void start(Duration pause) {
        if (loop != null) {
            throw new IllegalStateException("the import was started before");
        }
        ImportLoop starting =
                new ImportLoop(source, Limits.checkDuration("pause", pause).toNanos());
        loop = starting;
        observer = starting::changed;
        backend.observe(observer);
        starting.start();
    }

    /**
     * Ends what {@link #start} has begun, after the documents that are being taken over, up to eight. Close this before the
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
