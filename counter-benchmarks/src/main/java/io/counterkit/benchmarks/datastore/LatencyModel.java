package io.counterkit.benchmarks.datastore;

import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.ApiConfig;
import com.google.apphosting.api.ApiProxy.Delegate;
import com.google.apphosting.api.ApiProxy.Environment;
import com.google.apphosting.api.ApiProxy.LogRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Delays calls to the local Datastore as a network does, and counts them. */
record LatencyModel(Delegate<Environment> store, Map<String, Long> millis, LongAdder count)
        implements Delegate<Environment> {
    /** A tenth of what the article of 2009 measured: a query 620 ms, a GET 30 ms, a PUT with its commit 250 ms. */
    static final Map<String, Long> ARTICLE_MILLIS = Map.of("RunQuery", 62L, "Get", 3L, "Commit", 25L);

    @SuppressWarnings("unchecked")
    static LatencyModel install(Map<String, Long> millis) {
        LatencyModel model = new LatencyModel(ApiProxy.getDelegate(), millis, new LongAdder());
        ApiProxy.setDelegate(model);
        return model;
    }

    @Override
    public byte[] makeSyncCall(Environment environment, String service, String method, byte[] request) {
        delay(method);
        return store.makeSyncCall(environment, service, method, request);
    }

    @Override
    public Future<byte[]> makeAsyncCall(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        delay(method);
        return store.makeAsyncCall(environment, service, method, request, config);
    }

    private void delay(String method) {
        count.increment();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis.getOrDefault(method, 0L));
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void log(Environment environment, LogRecord logged) {
        store.log(environment, logged);
    }

    @Override
    public void flushLogs(Environment environment) {
        store.flushLogs(environment);
    }

    @Override
    public List<Thread> getRequestThreads(Environment environment) {
        return store.getRequestThreads(environment);
    }
}
