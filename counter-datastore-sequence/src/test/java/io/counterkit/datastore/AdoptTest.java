package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.appengine.api.datastore.Text;
import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Adoption of records that were numbered as in the article. */
class AdoptTest extends StoreTest {
    private final DatastoreSequenceBackend backend = backend();
    private final Counters counters = Counters.over(backend);

    private void record(long id, long count) {
        Entity record = new Entity("Record", "r" + id + "/" + count);
        record.setProperty("id", id);
        record.setProperty("count", count);
        record.setProperty("title", "title " + id);
        record.setUnindexedProperty("text", new Text("long " + id));
        record.setProperty("when", Date.from(Instant.ofEpochMilli(id)));
        datastore.put(null, record);
    }

    @Test
    void recordsBecomeEntriesUnderTheirNumbers() {
        for (long id = 1; id <= 450; id++) {
            record(id, id);
        }
        AdoptionReport report = backend.adopt("old", Adoption.of("Record", "id").withKeyField("key"));
        assertThat(report).isEqualTo(new AdoptionReport(450, 450, List.of(), List.of(), List.of(), true));
        assertThat(counters.sequence("old").tail()).isEqualTo(new Tail(450, 450, null));
        Entry entry = counters().sequence("old").read(317, 317).get(0);
        assertThat(entry.number()).isEqualTo(317);
        assertThat(entry.fields())
                .isEqualTo(Map.of(
                        "title",
                        "title 317",
                        "text",
                        "long 317",
                        "when",
                        Instant.ofEpochMilli(317),
                        "count",
                        317L,
                        "key",
                        "Record(\"r317/317\")"));
        assertThat(counters.sequence("old").next()).isEqualTo(451);
        assertThat(count("Record")).isEqualTo(450);
    }

    @Test
    void countDecidesTheChangeOfEachRecord() {
        long[] counts = {1, 2, 2, 1, 2};
        for (int i = 0; i < counts.length; i++) {
            record(i + 1, counts[i]);
        }
        assertThat(backend.adopt("old", Adoption.of("Record", "id").withCount("count"))
                        .adopted())
                .isTrue();
        assertThat(counters.sequence("old").read(1, 9))
                .extracting(Entry::change)
                .containsExactly(Change.ADDED, Change.ADDED, Change.UPDATED, Change.REMOVED, Change.ADDED);
        assertThat(counters.sequence("old").liveCount()).isEqualTo(2);
    }

    @Test
    void everyGapAndDuplicateIsReportedAndNothingIsChanged() {
        for (long id : new long[] {1, 2, 5, 6, 6, 6, 9}) {
            record(id, count("Record"));
        }
        AdoptionReport report = backend.adopt("old", Adoption.of("Record", "id"));
        assertThat(report.adopted()).isFalse();
        assertThat(report.records()).isEqualTo(7);
        assertThat(report.last()).isEqualTo(9);
        assertThat(report.gaps()).containsExactly(new NumberRange(3, 4), new NumberRange(7, 8));
        assertThat(report.duplicates()).containsExactly(6L);
        assertThat(counters.sequence("old").tail()).isEqualTo(Tail.EMPTY);
        assertThat(counters.sequenceNames("").names()).isEmpty();
    }

    /** Another process appends more entries than there are records, after the check and before the first of them. */
    @Test
    void sequenceThatIsUsedMeanwhileIsRefused() {
        for (long id = 1; id <= 3; id++) {
            record(id, id);
        }
        AtomicInteger commits = new AtomicInteger();
        store.delegate().disturb(method -> {
            if (method.equals("Commit") && commits.incrementAndGet() == 1) {
                for (long number = 1; number <= 4; number++) {
                    assertThat(counters().sequence("old").next()).isEqualTo(number);
                }
            }
            return null;
        });
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.adopt("old", Adoption.of("Record", "id")))
                .withMessageContaining("entry 3");
    }

    @Test
    void checkReportsTheSameAndChangesNothing() {
        for (long id = 1; id <= 5; id++) {
            record(id, id);
        }
        assertThat(backend.checkAdoption("old", Adoption.of("Record", "id")))
                .isEqualTo(new AdoptionReport(5, 5, List.of(), List.of(), List.of(), false));
        assertThat(counters.sequenceNames("").names()).isEmpty();
        counters.sequence("sealed").seal("elsewhere");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> backend.checkAdoption("sealed", Adoption.of("Record", "id")));
    }

    @Test
    void invalidNumbersAndCountsAreReported() {
        record(0, 1);
        record(1, 7);
        Entity text = new Entity("Record");
        text.setProperty("id", "two");
        datastore.put(null, text);
        AdoptionReport report = backend.adopt("old", Adoption.of("Record", "id").withCount("count"));
        assertThat(report.isClean()).isFalse();
        assertThat(report.faults()).hasSize(3);
        assertThat(report.faults().get(0)).contains("'id' holds 0");
        assertThat(report.faults().get(1)).contains("'count' goes from 0 to 7");
        assertThat(report.faults().get(2)).contains("'id' holds two");
        assertThat(counters.sequence("old").last()).isZero();
    }

    @Test
    void interruptedAdoptionResumes() {
        for (long id = 1; id <= 100; id++) {
            record(id, id);
        }
        Adoption adoption = Adoption.of("Record", "id");
        AtomicInteger left = new AtomicInteger(14);
        store.delegate()
                .disturb(method ->
                        left.decrementAndGet() < 0 ? Disturbance.failBefore(Disturbance.StoreError.TIMEOUT) : null);
        DatastoreSequenceBackend hasty = DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().maxAttempts(1).build());
        assertThatExceptionOfType(CounterException.class).isThrownBy(() -> hasty.adopt("old", adoption));
        store.delegate().release();
        assertThat(counters().sequence("old").last()).isBetween(1L, 99L);
        assertThat(backend().adopt("old", adoption).adopted()).isTrue();
        assertThat(backend().adopt("old", adoption).adopted()).isTrue();
        assertThat(counters.sequence("old").tail()).isEqualTo(new Tail(100, 100, null));
    }

    @Test
    void sequenceWithOtherEntriesIsNotChanged() {
        record(1, 1);
        counters.sequence("mine").next();
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.adopt("mine", Adoption.of("Record", "id")))
                .withMessageContaining("another name");
        counters.sequence("mine").next();
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.adopt("mine", Adoption.of("Record", "id")));
        assertThat(counters.sequence("mine").last()).isEqualTo(2);
    }

    @Test
    void recordDeletedMeanwhileLeavesNoGap() {
        for (long id = 1; id <= 10; id++) {
            record(id, id);
        }
        AtomicInteger queries = new AtomicInteger();
        store.delegate().disturb(method -> {
            if (method.equals("RunQuery") && queries.incrementAndGet() == 3) {
                datastore.delete(null, List.of(KeyFactory.createKey("Record", "r5/5")));
            }
            return null;
        });
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.adopt("old", Adoption.of("Record", "id")))
                .withMessageContaining("adopt again");
        store.delegate().release();
        long last = counters().sequence("old").last();
        assertThat(count("CounterKitEntry")).isEqualTo((int) last);
        assertThat(counters().sequence("old").next()).isEqualTo(last + 1);
    }

    @Test
    void manyRecordsWithoutANumberAreEachReportedOnce() {
        for (int i = 0; i < 200; i++) {
            Entity record = new Entity("Record");
            record.setProperty("id", null);
            datastore.put(null, record);
        }
        assertThat(backend.adopt("old", Adoption.of("Record", "id")).records()).isEqualTo(200);
    }
}
