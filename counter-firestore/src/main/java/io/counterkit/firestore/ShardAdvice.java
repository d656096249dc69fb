package io.counterkit.firestore;

/**
 * The recommended shard count of a counter, with the reason. It is based on observations: Google publishes no rate for
 * one document, and recommends load tests.
 *
 * @param shards the recommended shard count, 1 to 1,000, for {@link FirestoreCounterBackend#reshard}
 * @param reason the reason, in a sentence
 */
public record ShardAdvice(int shards, String reason) {}
