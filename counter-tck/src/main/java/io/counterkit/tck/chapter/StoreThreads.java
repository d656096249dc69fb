package io.counterkit.tck.chapter;

import io.counterkit.tck.BackendFixture;
import java.util.concurrent.ThreadFactory;

/** Creates the threads of watches and followers, which may use the store. */
record StoreThreads(BackendFixture fixture) implements ThreadFactory {
    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(
                () -> {
                    fixture.enterThread();
                    task.run();
                },
                "watches of the kit");
        thread.setDaemon(true);
        return thread;
    }
}
