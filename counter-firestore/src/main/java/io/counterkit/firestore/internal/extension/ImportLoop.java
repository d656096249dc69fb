package io.counterkit.firestore.internal.extension;

import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.spi.Backoff;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Repeats passes over the documents, with a pause after each. The first pass is over all documents, the others over
 * those with shards and those whose counters this process has changed. Retries a failed pass, and examines a document
 * that was not taken over completely again each minute. Thread-safe.
 */
public final class ImportLoop {
    private static final System.Logger LOG = System.getLogger(FirestoreCounterBackend.class.getName());
    private static final int MOST_DUE = 50_000;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LEFT_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ExtensionSource source;
    private final long pauseNanos;
    private final Backoff backoff;

    /** The documents whose counters have changed. If there are too many, the next pass is over all documents. */
    private final Set<String> due = ConcurrentHashMap.newKeySet();

    private CompletableFuture<?> pass = CompletableFuture.completedFuture(null);

    /** The documents and fields that were not taken over when they were last examined. */
    private final Set<ExtensionImportReport.Left> left = new HashSet<>();

    private long leftExaminedAt = System.nanoTime();
    private volatile boolean isTooMuchDue;
    private volatile boolean isClosed;
    private boolean isImported;
    private int failed;

    public ImportLoop(ExtensionSource source, long pauseNanos) {
        this.source = source;
        this.pauseNanos = pauseNanos;
        this.backoff = new Backoff(Math.min(LONGEST_PAUSE_NANOS, Math.max(1, 2 * pauseNanos)), LONGEST_PAUSE_NANOS);
    }

    /** Marks counters whose totals may have changed. */
    public void changed(Collection<String> counters) {
        for (String counter : counters) {
            var document = source.documentOf(counter);
            if (document == null) {
                continue;
            }
            if (due.size() < MOST_DUE) {
                due.add(document.getPath());
            } else {
                isTooMuchDue = true;
            }
        }
    }

    public synchronized void start() {
        if (isClosed) {
            return;
        }
        ExtensionPass next = new ExtensionPass(source, () -> isClosed);
        if (isTooMuchDue) {
            isImported = false;
            isTooMuchDue = false;
        }
        Set<String> changed = new HashSet<>(due);
        due.removeAll(changed);
        if (System.nanoTime() - leftExaminedAt >= LEFT_PAUSE_NANOS) {
            leftExaminedAt = System.nanoTime();
            left.forEach(each -> changed.add(each.document()));
        }
        pass = (isImported ? next.overChanged(changed) : next.overAll()).handle((report, failure) -> {
            if (failure == null) {
                succeeded(report, changed);
            } else {
                due.addAll(changed);
                failed(failure);
            }
            return null;
        });
    }

    private synchronized void succeeded(ExtensionImportReport report, Set<String> examined) {
        isImported = true;
        failed = 0;
        for (ExtensionImportReport.Left each : report.left()) {
            if (!left.contains(each)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "document '" + each.document() + "' is not taken over: " + each.reason());
            }
        }
        left.removeIf(each -> examined.contains(each.document()));
        if (left.size() < Findings.MOST_LEFT) {
            left.addAll(report.left());
        }
        startAfter(pauseNanos);
    }

    private synchronized void failed(Throwable failure) {
        failed++;
        LOG.log(
                System.Logger.Level.WARNING,
                "taking over '" + source.collection().getPath() + "' failed; it is retried",
                failure);
        startAfter(backoff.nanos(failed));
    }

    private void startAfter(long nanos) {
        CompletableFuture<?> unused = source.schema().timers().after(nanos).thenRun(this::start);
    }

    /**
     * Ends the current pass after the documents that it is taking over. The returned future then completes, and never
     * fails.
     */
    public synchronized CompletableFuture<?> close() {
        isClosed = true;
        return pass;
    }
}
