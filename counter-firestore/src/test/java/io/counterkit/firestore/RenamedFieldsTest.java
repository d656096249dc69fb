package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.EntriesChapter;
import io.counterkit.tck.chapter.ExactlyOnceChapter;
import io.counterkit.tck.chapter.NamesChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract with other names for all collections and fields, all below a document. */
@Tag("exhaustive")
class RenamedFieldsTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .counterCollection("tenants/a/tallies")
                .shardCollection("parts")
                .countField("n")
                .shardCountField("parts")
                .sequenceCollection("tenants/a/series")
                .tokenCollection("tenants/a/requests")
                .build();
    }

    private BackendFixture fixture() {
        return new FirestoreFixture(options(), FirestoreFixture.ClientRetries.DEFAULT);
    }

    @Nested
    final class Names extends NamesChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }

    @Nested
    final class Entries extends EntriesChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }
}
