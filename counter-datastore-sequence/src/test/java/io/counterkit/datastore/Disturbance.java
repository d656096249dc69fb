package io.counterkit.datastore;

import com.google.apphosting.api.ApiProxy;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens to a call on its way to the Datastore and back.
 *
 * @param isCarriedOut whether the store carries it out
 * @param isHeld whether that waits until {@link DisturbedDelegate#release}
 * @param error what the caller is told, unless the call is held
 */
public record Disturbance(boolean isCarriedOut, boolean isHeld, Told error) {
    /** The errors that the Datastore tells, by their codes in its protocol, and those of the way there. */
    public enum Told {
        CONTENTION(2),
        INTERNAL_ERROR(3),
        TIMEOUT(5),
        BIGTABLE_ERROR(7),
        COMMITTED_BUT_STILL_APPLYING(8),
        DEADLINE_EXCEEDED(-1),
        RPC_FAILED(-2);

        private final int code;

        Told(int code) {
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

    /** Every way in which one call can fail: before it is carried out, or after. What is said to be committed is. */
    public static List<Disturbance> all() {
        List<Disturbance> all = new ArrayList<>();
        for (Told told : Told.values()) {
            all.add(loseReply(told));
            if (told != Told.COMMITTED_BUT_STILL_APPLYING) {
                all.add(failBefore(told));
            }
        }
        return all;
    }

    public static Disturbance failBefore(Told told) {
        return new Disturbance(false, false, told);
    }

    static Disturbance loseReply(Told told) {
        return new Disturbance(true, false, told);
    }

    static Disturbance hold() {
        return new Disturbance(true, true, Told.DEADLINE_EXCEEDED);
    }
}
