package io.counterkit.firestore;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Write;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/**
 * Adds up what Firestore bills: a read for each requested document, existing or not, for each document that a query finds,
 * and for each thousand documents of a sum; a write or a delete for each document of a commit. Omits the read of a query
 * that finds nothing. Thread-safe.
 */
final class Bill implements ClientInterceptor {
    private int reads;
    private int writes;
    private int deletes;

    /** Returns the counts since the last call. */
    record Sum(int reads, int writes, int deletes) {
        Sum plus(Sum other) {
            return new Sum(reads + other.reads, writes + other.writes, deletes + other.deletes);
        }
    }

    synchronized Sum take() {
        Sum sum = new Sum(reads, writes, deletes);
        reads = 0;
        writes = 0;
        deletes = 0;
        return sum;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(
                        new ForwardingClientCallListener.SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onMessage(R reply) {
                                count(reply);
                                super.onMessage(reply);
                            }
                        },
                        headers);
            }

            @Override
            public void sendMessage(Q request) {
                count(request);
                super.sendMessage(request);
            }
        };
    }

    private synchronized void count(Object message) {
        if (message instanceof BatchGetDocumentsRequest request) {
            reads += request.getDocumentsCount();
        } else if (message instanceof RunAggregationQueryRequest) {
            reads++;
        } else if (message instanceof RunQueryResponse reply && reply.hasDocument()) {
            reads++;
        } else if (message instanceof CommitRequest request) {
            for (Write write : request.getWritesList()) {
                if (write.getOperationCase() == Write.OperationCase.DELETE) {
                    deletes++;
                } else {
                    writes++;
                }
            }
        }
    }
}
