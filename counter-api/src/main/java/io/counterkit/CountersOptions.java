package io.counterkit;

import io.counterkit.spi.Limits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/** Options of {@link Counters}. Immutable and thread-safe; the builder is neither. */
public final class CountersOptions {
    /**
     * More than the size of the largest append: 32 KiB of fields in one-byte characters, 100 field names, a name, a
     * subject and a token.
     */
    private static final long MIN_QUEUE_BYTES = 128 << 10;

    private static final CountersOptions DEFAULTS = builder().build();

    private final Duration deadline;
    private final Duration drainTimeout;
    private final int queueLimit;
    private final long queueBytes;
    private final CountersListener listener;
    private final RandomGenerator random;
    private final ThreadFactory backgroundThreads;

    private CountersOptions(Builder builder) {
        deadline = builder.deadline;
        drainTimeout = builder.drainTimeout;
        queueLimit = builder.queueLimit;
        queueBytes = builder.queueBytes;
        listener = builder.listener;
        random = builder.random;
        backgroundThreads = builder.backgroundThreads;
    }

    /** Returns the default options, which the methods of the {@link Builder} document. */
    public static CountersOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the time that one call may take. */
    public Duration deadline() {
        return deadline;
    }

    /**
     * Returns how long {@link Counters#close()} waits for the consumers of followers, and then once more for pending
     * requests.
     */
    public Duration drainTimeout() {
        return drainTimeout;
    }

    /** Returns the maximum number of pending requests. */
    public int queueLimit() {
        return queueLimit;
    }

    /** Returns the maximum size of all pending requests together, in bytes. */
    public long queueBytes() {
        return queueBytes;
    }

    /** Returns the receiver of events. */
    public CountersListener listener() {
        return listener;
    }

    /** Returns the generator of the commits' tokens. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns the factory of the thread that watches share, and of the thread of each follower. */
    public ThreadFactory backgroundThreads() {
        return backgroundThreads;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "counterkit-watch");
        thread.setDaemon(true);
        return thread;
    }

    /** Builds options. Each method throws {@link IllegalArgumentException} if its argument is out of range. */
    public static final class Builder {
        private Duration deadline = Duration.ofSeconds(20);
        private Duration drainTimeout = Duration.ofSeconds(30);
        private int queueLimit = 10_000;
        private long queueBytes = 32 << 20;
        private CountersListener listener = CountersListener.disabled();
        private RandomGenerator random = new SecureRandom();
        private ThreadFactory backgroundThreads = CountersOptions::daemon;

        private Builder() {}

        /**
         * Sets the time that one call may take: 1 ms to 1 day, and at most half of the backend's retention of tokens.
         * Each caller has its own, even within a batch. Default 20 seconds: longer than a store pauses while it moves a
         * hot range, and shorter than the usual timeout of a web server.
         */
        public Builder deadline(Duration deadline) {
            this.deadline = Limits.checkDuration("deadline", deadline);
            return this;
        }

        /**
         * Sets how long {@link Counters#close()} waits for the consumers of followers, and then once more for pending
         * requests: 1 ms to 1 day. Default 30 seconds: longer than the default deadline.
         */
        public Builder drainTimeout(Duration drainTimeout) {
            this.drainTimeout = Limits.checkDuration("drainTimeout", drainTimeout);
            return this;
        }

        /**
         * Sets the maximum number of pending requests, waiting and in flight: 1 or more. Further requests are refused
         * with {@link QueueFullException}. Default 10,000: some megabytes of adds.
         */
        public Builder queueLimit(int queueLimit) {
            this.queueLimit = Limits.checkAtLeast("queueLimit", queueLimit, 1);
            return this;
        }

        /**
         * Sets the maximum size of all pending requests together, in bytes: 128 KiB or more, since the largest request
         * is smaller. A request that exceeds it is refused with {@link QueueFullException}. A request counts as 512
         * bytes plus 64 bytes per field. Names, tokens, subjects and texts count as 2 bytes per character, and byte
         * arrays as their length. Memory that a backend needs for batches in flight is not included. Default 32 MiB:
         * half of a small heap.
         */
        public Builder queueBytes(long queueBytes) {
            if (queueBytes < MIN_QUEUE_BYTES) {
                throw new IllegalArgumentException(
                        "queueBytes " + queueBytes + ": use " + MIN_QUEUE_BYTES + " (128 KiB) or more");
            }
            this.queueBytes = queueBytes;
            return this;
        }

        /** Sets the receiver of events. Default {@link CountersListener#disabled()}. */
        public Builder listener(CountersListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets the generator of the commits' tokens. Default a {@link SecureRandom}, so that the tokens of all
         * processes differ; use another one in tests only.
         */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /**
         * Sets the factory of the one thread that all watches share, and of the thread of each {@linkplain
         * Sequence#follow follower}. It is called for each follower, and for watches when a watch opens and no thread
         * runs. The thread of watches ends after a second without work, so the factory is also called later, on any
         * thread; if it then fails, it is called again each second, and the watches are delayed. By default it creates
         * daemon threads. If the store is bound to its callers' threads, the factory must prepare the thread for calls
         * to it.
         */
        public Builder backgroundThreads(ThreadFactory backgroundThreads) {
            this.backgroundThreads = Objects.requireNonNull(backgroundThreads, "backgroundThreads");
            return this;
        }

        /** Returns the options. */
        public CountersOptions build() {
            return new CountersOptions(this);
        }
    }
}
