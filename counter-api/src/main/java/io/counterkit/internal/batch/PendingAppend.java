package io.counterkit.internal.batch;

import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.util.Map;

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

    public AppendRequest request() {
        return request;
    }

    @Override
    GeneratedToken generatedToken(Commit commit, int index) {
        return GeneratedToken.append(commit, index, sequence);
    }
}
