package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import io.counterkit.tck.chapter.sequence.EntriesChapter;
import io.counterkit.tck.chapter.store.NamesChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract with other names for all collections and fields, all below a document. */
@Tag("exhaustive")
class RenamedFieldsTest extends CounterChapters {
    @Override
    protected FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .counterCollection("tenants/a/tallies")
                .shardCollection("parts")
                .countField("n")
                .shardCountField("parts")
                .sequenceCollection("tenants/a/series")
                .tokenCollection("tenants/a/requests")
                .build();
    }

    @Nested
    final class Names extends NamesChapter {}

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    final class Entries extends EntriesChapter {}
}
