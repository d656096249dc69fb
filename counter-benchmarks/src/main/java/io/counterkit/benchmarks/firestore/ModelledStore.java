package io.counterkit.benchmarks.firestore;

import com.google.firestore.v1.AggregationResult;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.firestore.v1.WriteResult;
import com.google.protobuf.Timestamp;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers in memory the calls that adds and roll-ups make: reads by name, sums of a collection, and commits without
 * transactions. The emulator's sums are slow, so that it would limit the number of roll-ups that a process writes.
 * Thread-safe.
 */
final class ModelledStore implements ClientInterceptor {
    private static final Executor ANSWERS = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "modelled-store");
        thread.setDaemon(true);
        return thread;
    });

    private final NavigableMap<String, Document> documents = new TreeMap<>();
    private long micros = System.currentTimeMillis() * 1_000;

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new Answered<>();
    }

    private synchronized List<?> answer(Object request) {
        micros = Math.max(micros + 1, System.currentTimeMillis() * 1_000);
        Timestamp now = Timestamp.newBuilder()
                .setSeconds(micros / 1_000_000)
                .setNanos((int) (micros % 1_000_000) * 1_000)
                .build();
        if (request instanceof BatchGetDocumentsRequest reads) {
            return reads.getDocumentsList().stream()
                    .map(name -> read(name).setReadTime(now).build())
                    .toList();
        }
        if (request instanceof RunAggregationQueryRequest query) {
            return List.of(sum(query).setReadTime(now).build());
        }
        if (request instanceof CommitRequest commit) {
            commit.getWritesList().forEach(this::check);
            CommitResponse.Builder response = CommitResponse.newBuilder().setCommitTime(now);
            for (Write write : commit.getWritesList()) {
                apply(write, now);
                response.addWriteResults(WriteResult.newBuilder().setUpdateTime(now));
            }
            return List.of(response.build());
        }
        throw Status.UNIMPLEMENTED
                .withDescription("the model has no " + request.getClass().getSimpleName())
                .asRuntimeException();
    }

    private BatchGetDocumentsResponse.Builder read(String name) {
        Document document = documents.get(name);
        return document == null
                ? BatchGetDocumentsResponse.newBuilder().setMissing(name)
                : BatchGetDocumentsResponse.newBuilder().setFound(document);
    }

    private RunAggregationQueryResponse.Builder sum(RunAggregationQueryRequest query) {
        String collection = query.getParent() + "/"
                + query.getStructuredAggregationQuery()
                        .getStructuredQuery()
                        .getFrom(0)
                        .getCollectionId()
                + "/";
        AggregationResult.Builder result = AggregationResult.newBuilder();
        for (Aggregation each : query.getStructuredAggregationQuery().getAggregationsList()) {
            String field = each.getSum().getField().getFieldPath();
            long sum = documents.subMap(collection, collection + Character.MAX_VALUE).values().stream()
                    .mapToLong(shard -> shard.getFieldsOrDefault(field, Value.getDefaultInstance())
                            .getIntegerValue())
                    .sum();
            result.putAggregateFields(
                    each.getAlias(), Value.newBuilder().setIntegerValue(sum).build());
        }
        return RunAggregationQueryResponse.newBuilder().setResult(result);
    }

    private void check(Write write) {
        Precondition condition = write.getCurrentDocument();
        Document document = documents.get(
                write.hasDelete() ? write.getDelete() : write.getUpdate().getName());
        boolean isMissing = condition.hasExists() && condition.getExists() && document == null;
        boolean isThere = condition.hasExists() && !condition.getExists() && document != null;
        boolean isChanged = condition.hasUpdateTime()
                && (document == null || !document.getUpdateTime().equals(condition.getUpdateTime()));
        if (isMissing || isThere || isChanged) {
            Status status = isMissing ? Status.NOT_FOUND : isThere ? Status.ALREADY_EXISTS : Status.FAILED_PRECONDITION;
            throw status.asRuntimeException();
        }
    }

    private void apply(Write write, Timestamp now) {
        if (write.hasDelete()) {
            documents.remove(write.getDelete());
            return;
        }
        Document update = write.getUpdate();
        Document before = documents.get(update.getName());
        Document.Builder after = before == null || !write.hasUpdateMask()
                ? Document.newBuilder().setName(update.getName()).setCreateTime(now)
                : before.toBuilder();
        after.putAllFields(update.getFieldsMap()).setUpdateTime(now);
        for (FieldTransform transform : write.getUpdateTransformsList()) {
            String field = transform.getFieldPath();
            long count =
                    after.getFieldsOrDefault(field, Value.getDefaultInstance()).getIntegerValue();
            after.putFields(
                    field,
                    transform.hasIncrement()
                            ? Value.newBuilder()
                                    .setIntegerValue(
                                            count + transform.getIncrement().getIntegerValue())
                                    .build()
                            : Value.newBuilder().setTimestampValue(now).build());
        }
        documents.put(update.getName(), after.build());
    }

    private final class Answered<Q, R> extends ClientCall<Q, R> {
        private @Nullable Listener<R> listener;
        private @Nullable Q request;

        @Override
        public void start(Listener<R> answers, Metadata headers) {
            listener = answers;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void sendMessage(Q message) {
            request = message;
        }

        @Override
        public void halfClose() {
            Listener<R> client = listener;
            Q message = request;
            if (client != null && message != null) {
                ANSWERS.execute(() -> answer(client, message));
            }
        }

        @SuppressWarnings("unchecked") // each request has responses of one type
        private void answer(Listener<R> client, Q message) {
            Status status = Status.OK;
            Stream<R> responses = Stream.of();
            try {
                responses = (Stream<R>) ModelledStore.this.answer(message).stream();
            } catch (RuntimeException e) {
                status = Status.fromThrowable(e);
            }
            client.onHeaders(new Metadata());
            responses.forEach(client::onMessage);
            client.onClose(status, new Metadata());
        }
    }
}
