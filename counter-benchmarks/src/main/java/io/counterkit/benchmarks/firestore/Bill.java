package io.counterkit.benchmarks.firestore;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Write;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/**
 * Adds up what Firestore bills for the calls of clients: a read for each requested document, existing or not, for each
 * document that a query finds, and for each sum, which has up to a thousand shards here; a write or a delete for each
 * document of a commit; and a delete for each new token document, which the TTL policy makes later. A refused commit
 * counts like one that was applied, so the sum is an upper bound. Thread-safe.
 */
final class Bill implements ClientInterceptor {
    private static final String TOKENS = "/documents/counter_tokens/";

    private Units units = Units.NONE;

    /** The numbers of commits and of billed documents. */
    record Units(long commits, long reads, long writes, long deletes) {
        static final Units NONE = new Units(0, 0, 0, 0);

        Units plus(Units other) {
            return new Units(
                    commits + other.commits, reads + other.reads, writes + other.writes, deletes + other.deletes);
        }
    }

    /** Returns the units since the last call. */
    synchronized Units take() {
        Units taken = units;
        units = Units.NONE;
        return taken;
    }

    private synchronized void add(Units more) {
        units = units.plus(more);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onMessage(R reply) {
                                if (reply instanceof RunQueryResponse found && found.hasDocument()) {
                                    add(new Units(0, 1, 0, 0));
                                }
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

    private void count(Object request) {
        if (request instanceof BatchGetDocumentsRequest get) {
            add(new Units(0, get.getDocumentsCount(), 0, 0));
        } else if (request instanceof RunAggregationQueryRequest) {
            add(new Units(0, 1, 0, 0));
        } else if (request instanceof CommitRequest commit) {
            add(of(commit));
        }
    }

    static Units of(CommitRequest commit) {
        int writes = 0;
        int deletes = 0;
        for (Write write : commit.getWritesList()) {
            if (write.hasDelete()) {
                deletes++;
            } else {
                writes++;
                deletes += isNewToken(write) ? 1 : 0;
            }
        }
        return new Units(1, 0, writes, deletes);
    }

    private static boolean isNewToken(Write write) {
        return write.getUpdate().getName().contains(TOKENS)
                && write.getCurrentDocument().hasExists()
                && !write.getCurrentDocument().getExists();
    }
}
