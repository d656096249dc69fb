package io.counterkit.datastore;

import com.google.apphosting.api.ApiProxy;
import java.util.ArrayList;
import java.util.List;

/**
 * A fault of a call to the Datastore.
 *
 * @param isCarriedOut whether the store carries the call out
 * @param isHeld whether the call is held until {@link DisturbedDelegate#release}
 * @param error the error that the caller gets, unless the call is held
 */
public record Disturbance(boolean isCarriedOut, boolean isHeld, StoreError error) {
    /** The errors of the Datastore, with their codes in its protocol, and those of the connection. */
    public enum StoreError {
        CONTENTION(2),
        INTERNAL_ERROR(3),
        TIMEOUT(5),
        BIGTABLE_ERROR(7),
        COMMITTED_BUT_STILL_APPLYING(8),
        DEADLINE_EXCEEDED(-1),
        RPC_FAILED(-2);

        private final int code;

        StoreError(int code) {
            this.code = code;
        }

        ApiProxy.ApiProxyException exception(String method) {
            return switch (this) {
                case DEADLINE_EXCEEDED -> new ApiProxy.ApiDeadlineExceededException("datastore_v3", method);
                case RPC_FAILED -> new ApiProxy.RPCFailedException("datastore_v3", method);
                default -> new ApiProxy.ApplicationException(code, "injected " + this);
            };
        }
    }

    /** Returns every fault of one call, before and after it is carried out. A commit reported as applied is applied. */
    public static List<Disturbance> all() {
        List<Disturbance> all = new ArrayList<>();
        for (StoreError error : StoreError.values()) {
            all.add(loseReply(error));
            if (error != StoreError.COMMITTED_BUT_STILL_APPLYING) {
                all.add(failBefore(error));
            }
        }
        return all;
    }

    public static Disturbance failBefore(StoreError error) {
        return new Disturbance(false, false, error);
    }

    public static Disturbance loseReply(StoreError error) {
        return new Disturbance(true, false, error);
    }

    public static Disturbance hold() {
        return new Disturbance(true, true, StoreError.DEADLINE_EXCEEDED);
    }
}
