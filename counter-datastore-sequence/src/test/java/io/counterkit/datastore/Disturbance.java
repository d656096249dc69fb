package io.counterkit.datastore;

import com.google.apphosting.api.ApiProxy;

/**
 * What happens to a call on its way to the Datastore and back.
 *
 * @param isCarriedOut whether the store carries it out
 * @param isHeld whether that waits until {@link DisturbedDelegate#release}
 * @param error what the caller is told, unless the call is held
 */
record Disturbance(boolean isCarriedOut, boolean isHeld, Told error) {
    /** The errors that the Datastore tells, by their codes in its protocol, and those of the way there. */
    enum Told {
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

    static Disturbance failBefore(Told told) {
        return new Disturbance(false, false, told);
    }

    static Disturbance loseReply(Told told) {
        return new Disturbance(true, false, told);
    }

    static Disturbance hold() {
        return new Disturbance(true, true, Told.DEADLINE_EXCEEDED);
    }
}
