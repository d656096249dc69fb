package io.counterkit.datastore.local.internal.store;

/** Waits that ignore interrupts. The thread's interrupt flag is set again afterwards. */
public final class Uninterruptibly {
    /** A wait with a result. */
    interface Wait<T, X extends Exception> {
        T get() throws X, InterruptedException;
    }

    private Uninterruptibly() {}

    /** Waits again after each interrupt. */
    static <T, X extends Exception> T get(Wait<T, X> wait) throws X {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits on a monitor that the thread holds. May return early. */
    @SuppressWarnings("WaitNotInLoop") // callers check their condition again
    static void await(Object monitor, long millis) {
        boolean unused = get(() -> {
            monitor.wait(millis);
            return true;
        });
    }

    /** Waits for the end of a thread. */
    public static void join(Thread thread) {
        boolean unused = get(() -> {
            thread.join();
            return true;
        });
    }
}
