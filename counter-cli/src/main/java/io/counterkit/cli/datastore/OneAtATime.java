package io.counterkit.cli.datastore;

import com.google.apphosting.api.ApiProxy.ApiConfig;
import com.google.apphosting.api.ApiProxy.Delegate;
import com.google.apphosting.api.ApiProxy.Environment;
import com.google.apphosting.api.ApiProxy.LogRecord;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Lets calls reach the local Datastore one at a time: while others read, a commit of its can fail when it has been applied
 * in part.
 */
record OneAtATime(Delegate<Environment> store, Object turn) implements Delegate<Environment> {
    @Override
    public byte[] makeSyncCall(Environment environment, String service, String method, byte[] request) {
        synchronized (turn) {
            return store.makeSyncCall(environment, service, method, request);
        }
    }

    @Override
    public Future<byte[]> makeAsyncCall(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        synchronized (turn) {
            Future<byte[]> sent = store.makeAsyncCall(environment, service, method, request, config);
            awaitAnswer(sent);
            return sent;
        }
    }

    private static void awaitAnswer(Future<byte[]> sent) {
        try {
            sent.get();
        } catch (ExecutionException e) {
            return; // whoever sent it is told
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
