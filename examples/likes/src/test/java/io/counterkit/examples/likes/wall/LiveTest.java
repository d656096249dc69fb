package io.counterkit.examples.likes.wall;

import static io.counterkit.examples.likes.wall.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.Injection;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The live state that all viewers see. */
class LiveTest {
    private final InMemoryStore store = InMemoryStore.create(
            InMemoryOptions.builder().batches(BatchLimits.ofWeight(100)).build());
    private final Commits commits = new Commits();
    private final Queue<Thread> watching = new ConcurrentLinkedQueue<>();
    private final Counters counters = Counters.over(
            InMemoryBackend.over(store),
            CountersOptions.builder()
                    .listener(commits)
                    .backgroundThreads(this::thread)
                    .build());
    private final Settler settler = new Settler(Duration.ofMillis(1));
    private final Breakage breakage = new Breakage();
    private final Likes likes = new Likes(counters, settler, breakage, Post.wall());
    private final Orders orders = new Orders(counters, settler);
    private final Live live = new Live(counters, orders, commits, breakage, Post.wall(), Duration.ofMillis(10));
    private final Post post = Post.wall().get(2);

    @AfterEach
    void close() {
        live.close();
        likes.close();
        settler.close();
        counters.close();
    }

    private Thread thread(Runnable watches) {
        Thread thread = new Thread(watches, "watches of a test");
        thread.setDaemon(true);
        watching.add(thread);
        return thread;
    }

    private static String click() {
        return UUID.randomUUID().toString();
    }

    @Test
    void freshStateIncludesAcknowledgedLikes() {
        for (int i = 1; i <= 20; i++) {
            assertThat(likes.like(post, click()).state()).isEqualTo(Answer.State.APPLIED);
            Snapshot fresh = live.fresh();
            assertThat(fresh.totals().get(post.id()).reading().value()).isEqualTo(i);
            assertThat(fresh.ranking().get(0).post()).isEqualTo(post);
        }
    }

    @Test
    void viewersReceiveChanges() throws InterruptedException {
        live.addViewer();
        Snapshot before = live.after(0, Duration.ofSeconds(30));
        assertThat(likes.like(post, click()).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(orders.place("Cocoa", 1, click()).state()).isEqualTo(Answer.State.APPLIED);
        patiently().untilAsserted(() -> {
            Snapshot now = live.latest();
            assertThat(now.version()).isGreaterThan(before.version());
            assertThat(now.totals().get(post.id()).reading().value()).isEqualTo(1);
            assertThat(now.orders())
                    .isNotNull()
                    .satisfies(tail -> assertThat(tail.last()).isEqualTo(1));
        });
        live.removeViewer();
    }

    @Test
    void unchangedTotalIsRefreshed() {
        live.addViewer();
        patiently().until(() -> live.latest().totals().containsKey(post.id()));
        Total before = live.latest().totals().get(post.id());
        patiently().untilAsserted(() -> {
            Total now = live.latest().totals().get(post.id());
            assertThat(now.reading().asOf()).isAfter(before.reading().asOf());
            assertThat(now.reading().value()).isZero();
        });
        live.removeViewer();
    }

    @Test
    void nothingIsWatchedWithoutViewers() {
        live.addViewer();
        live.addViewer();
        patiently().until(() -> live.latest().totals().size() == Post.wall().size());
        live.removeViewer();
        assertThat(likes.like(post, click()).state()).isEqualTo(Answer.State.APPLIED);
        patiently().until(() -> live.latest().totals().get(post.id()).reading().value() == 1);
        live.removeViewer();
        patiently().until(() -> watching.stream().noneMatch(Thread::isAlive));
        assertThat(likes.like(post, click()).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(live.latest().totals().get(post.id()).reading().value())
                .as("the last known total")
                .isEqualTo(1);
    }

    @Test
    void oneUnreadableTotalIsReported() {
        live.addViewer();
        patiently().until(() -> live.latest().totals().size() == Post.wall().size());
        Injection broken = store.faults().inject(Fault.FAIL, Calls.all(post.counter()));
        patiently().until(() -> live.latest().troubleSince() != null);
        assertThat(live.latest().totals()).hasSize(Post.wall().size());
        broken.release();
        patiently().until(() -> live.latest().troubleSince() == null);
        live.removeViewer();
    }

    @Test
    void knownStateStaysWhileTheStoreCannotBeRead() {
        assertThat(likes.like(post, click()).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(live.fresh().troubleSince()).isNull();
        Injection dead = store.faults().inject(Fault.FAIL, Calls.all());
        Snapshot troubled = live.fresh();
        assertThat(troubled.troubleSince()).isNotNull();
        assertThat(troubled.totals().get(post.id()).reading().value()).isEqualTo(1);
        assertThat(live.fresh().troubleSince()).isEqualTo(troubled.troubleSince());
        dead.release();
        live.addViewer();
        patiently().until(() -> live.latest().troubleSince() == null);
        live.removeViewer();
    }

    @Test
    void stateOfAStoreThatNeverAnsweredIsEmpty() {
        store.faults().inject(Fault.FAIL, Calls.all());
        Snapshot nothing = live.fresh();
        assertThat(nothing.totals()).isEmpty();
        assertThat(nothing.orders()).isNull();
        assertThat(nothing.troubleSince()).isNotNull();
    }

    @Test
    void commitsAreCountedWithMergedLikes() {
        Injection held = store.faults().inject(Fault.HOLD, Calls.next(post.counter()));
        List<CompletableFuture<Void>> adds = IntStream.range(0, 30)
                .mapToObj(i -> counters.counter(post.counter()).async().increment())
                .toList();
        held.release();
        adds.forEach(CompletableFuture::join);
        assertThat(commits.figures().adds()).isEqualTo(30);
        assertThat(commits.figures().largest()).isGreaterThan(1);
        assertThat(commits.figures().perCommit()).isGreaterThan(1);
        assertThat(commits.figures().commits()).isLessThan(30);
    }
}
