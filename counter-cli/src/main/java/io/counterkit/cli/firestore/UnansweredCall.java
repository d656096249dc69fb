package io.counterkit.cli.firestore;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;

/** A call that is carried out and whose reply is lost. */
final class UnansweredCall<Q, R> extends SimpleForwardingClientCall<Q, R> {
    private final Status loss;

    UnansweredCall(ClientCall<Q, R> call, Status loss) {
        super(call);
        this.loss = loss;
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
        super.start(
                new SimpleForwardingClientCallListener<>(listener) {
                    @Override
                    public void onMessage(R message) {
                        request(1); // the next one is lost as well
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        super.onClose(loss, new Metadata());
                    }
                },
                headers);
    }
}
