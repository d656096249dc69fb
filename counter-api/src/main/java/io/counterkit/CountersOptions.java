package io.counterkit;

import io.counterkit.spi.Limits;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * How a {@link Counters} waits. Immutable and thread-safe; the builder is neither.
 */
public final class CountersOptions {
    /** The largest entry has 32 KiB of fields, in characters of one byte, 100 fields, and a name, subject and token. */
    private static final long LEAST_QUEUE_BYTES = 128 << 10;

    private static final CountersOptions DEFAULTS = builder().build();

    private final Duration deadline;
    private final Duration drainTimeout;
    private final int queueLimit;
    private final long queueBytes;
    private final CountersListener listener;
    private final RandomGenerator random;
    private final ThreadFactory watchThread;

    private CountersOptions(Builder builder) {
        deadline = builder.deadline;
        drainTimeout = builder.drainTimeout;
        queueLimit = builder.queueLimit;
        queueBytes = builder.queueBytes;
        listener = builder.listener;
        random = builder.random;
        watchThread = builder.watchThread;
    }

    /** Every option as its builder method states it. */
    public static CountersOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** How long one call may take. */
    public Duration deadline() {
        return deadline;
    }

    /** How long {@link Counters#close()} waits for what was accepted. */
    public Duration drainTimeout() {
        return drainTimeout;
    }

    /** How many requests may wait or be on their way. */
    public int queueLimit() {
        return queueLimit;
    }

    /** How many bytes the requests may take that wait or are on their way. */
    public long queueBytes() {
        return queueBytes;
    }

    /** Who hears what happens. */
    public CountersListener listener() {
        return listener;
    }

    /** Where the tokens of commits come from. */
    public RandomGenerator random() {
        return random;
    }

    /** Makes the thread that watches run on. */
    public ThreadFactory watchThread() {
        return watchThread;
    }

    private static Thread daemon(Runnable watches) {
        Thread thread = new Thread(watches, "counterkit-watch");
        thread.setDaemon(true);
        return thread;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private Duration deadline = Duration.ofSeconds(20);
        private Duration drainTimeout = Duration.ofSeconds(30);
        private int queueLimit = 10_000;
        private long queueBytes = 32 << 20;
        private CountersListener listener = CountersListener.disabled();
        private RandomGenerator random = new SecureRandom();
        private ThreadFactory watchThread = CountersOptions::daemon;

        private Builder() {}

        /**
         * How long one call may take, from 1 ms to 1 day, and at most half of the backend's retention of tokens. Each
         * caller has its own, also within a batch. Default 20 seconds: longer than the pause of a store that moves a hot
         * range, shorter than the request of a web server.
         */
        public Builder deadline(Duration deadline) {
            this.deadline = Limits.checkDuration("deadline", deadline);
            return this;
        }

        /** How long close waits for what was accepted, from 1 ms to 1 day. Default 30 seconds: more than a deadline. */
        public Builder drainTimeout(Duration drainTimeout) {
            this.drainTimeout = Limits.checkDuration("drainTimeout", drainTimeout);
            return this;
        }

        /**
         * How many requests may wait or be on their way, at least 1; one more is refused with
         * {@link QueueFullException}, as is one that takes more than {@link #queueBytes} leaves. Default 10,000: some
         * megabytes of adds.
         */
        public Builder queueLimit(int queueLimit) {
            if (queueLimit < 1) {
                throw new IllegalArgumentException("queueLimit " + queueLimit + ": use 1 or more");
            }
            this.queueLimit = queueLimit;
            return this;
        }

        /**
         * How many bytes the requests may take that wait or are on their way, at least 128 KiB, which is more than the
         * largest request takes; what would take more is refused with {@link QueueFullException}. Each request counts 512
         * bytes; its name, token, subject, field names and texts 2 bytes a character, byte arrays their length, and each
         * field 64 bytes. Default 32 MiB: half of a small heap. Besides, a backend holds what it needs of the batches that
         * are on their way.
         */
        public Builder queueBytes(long queueBytes) {
            if (queueBytes < LEAST_QUEUE_BYTES) {
                throw new IllegalArgumentException(
                        "queueBytes " + queueBytes + ": use " + LEAST_QUEUE_BYTES + " (128 KiB) or more");
            }
            this.queueBytes = queueBytes;
            return this;
        }

        /** Who hears what happens. Default {@link CountersListener#disabled()}. */
        public Builder listener(CountersListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Where the tokens of commits come from. Default a {@link SecureRandom}, so that the tokens of all processes
         * differ; give another one in tests only.
         */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /**
         * Makes the one thread that all watches run on, when there is one to watch, and again when there is one once more.
         * Default a daemon. For a store that is bound to its threads, give one that prepares them.
         */
        public Builder watchThread(ThreadFactory watchThread) {
            this.watchThread = Objects.requireNonNull(watchThread, "watchThread");
            return this;
        }

        /** The options as they are now. */
        public CountersOptions build() {
            return new CountersOptions(this);
        }
    }
}
