package io.counterkit.internal.batch;

import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.SequenceStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** An append of a caller. */
public final class PendingAppend extends PendingChange<Entry> {
    /** The approximate size of a field without its name and its text or bytes. */
    private static final int FIELD_BYTES = 64;

    final String sequence;
    final AppendRequest request;

    public PendingAppend(String sequence, AppendRequest request, PendingRequests pending) {
        super(ChangeTarget.sequence(sequence), describe(sequence, request), bytesOf(request), request.token(), pending);
        this.sequence = sequence;
        this.request = request;
    }

    private static String describe(String sequence, AppendRequest request) {
        String change = request.subject() == null ? "" : request.change().noun() + " of '" + request.subject() + "' ";
        return "append " + change + "to '" + sequence + "'";
    }

    private static long bytesOf(AppendRequest request) {
        long bytes = bytesOf(request.subject());
        for (Map.Entry<String, Object> field : request.fields().entrySet()) {
            bytes += FIELD_BYTES + bytesOf(field.getKey());
            if (field.getValue() instanceof String text) {
                bytes += bytesOf(text);
            } else if (field.getValue() instanceof byte[] array) {
                bytes += array.length;
            }
        }
        return bytes;
    }

    /** Reads the entry of an append that was applied. The future fails if the store does not have it. */
    public static CompletableFuture<Entry> readEntry(SequenceStore store, String sequence, long number, Call call) {
        return store.read(sequence, new NumberRange(number, number), call).thenApply(entries -> {
            if (entries.isEmpty()) {
                throw new CorruptDataException(
                        "entry " + number + " of '" + sequence + "' was appended, but is missing");
            }
            return entries.get(0);
        });
    }

    public AppendRequest request() {
        return request;
    }

    @Override
    GeneratedToken generatedToken(Commit commit, int index) {
        return GeneratedToken.append(commit, index, sequence);
    }
}
