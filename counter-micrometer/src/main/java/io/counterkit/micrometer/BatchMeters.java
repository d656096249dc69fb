package io.counterkit.micrometer;

import io.counterkit.CountersListener.Batch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** The meters of the batches of one kind. */
record BatchMeters(Counter requests, Counter failures, Timer batches, DistributionSummary waiting) {
    static final String KIND = "kind";

    static BatchMeters register(MeterRegistry registry, Tags tags, String kind) {
        Tags own = tags.and(KIND, kind);
        return new BatchMeters(
                Counter.builder("counterkit.requests")
                        .description("Adds or appends in batches that were answered")
                        .baseUnit("requests")
                        .tags(own)
                        .register(registry),
                Counter.builder("counterkit.failures")
                        .description("Adds or appends that were not applied or whose outcome is unknown")
                        .baseUnit("failures")
                        .tags(own)
                        .register(registry),
                Timer.builder("counterkit.batches")
                        .description("Latency of batches from sending to the answer")
                        .tags(own)
                        .register(registry),
                DistributionSummary.builder("counterkit.batch.waiting")
                        .description("Requests left in the queue when a batch was sent")
                        .baseUnit("requests")
                        .tags(own)
                        .register(registry));
    }

    void record(Batch batch) {
        requests.increment(batch.requests());
        failures.increment(batch.failed());
        batches.record(batch.latency());
        waiting.record(batch.waiting());
    }
}
