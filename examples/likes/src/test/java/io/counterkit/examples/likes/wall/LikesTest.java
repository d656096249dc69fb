package io.counterkit.examples.likes.wall;

import static io.counterkit.examples.likes.wall.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Likes on the in-memory backend, with faults. */
class LikesTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Settler settler = new Settler(Duration.ofMillis(1));
    private final Breakage breakage = new Breakage();
    private final Likes likes = new Likes(counters, settler, breakage, Post.wall());
    private final Post post = Post.wall().get(0);
    private final String click = UUID.randomUUID().toString();

    @AfterEach
    void close() {
        likes.close();
        settler.close();
        counters.close();
    }

    private long total() {
        return store.dump().counters().getOrDefault(post.counter(), 0L);
    }

    @Test
    void clickCountsOnceHoweverOftenItIsSent() {
        for (int i = 0; i < 5; i++) {
            assertThat(likes.like(post, click).state()).isEqualTo(Answer.State.APPLIED);
        }
        assertThat(total()).isEqualTo(1);
    }

    @Test
    void sameClickOnAnotherPostIsAnotherLike() {
        Post other = Post.wall().get(1);
        assertThat(likes.like(post, click).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(likes.like(other, click).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(store.dump().counters()).containsEntry(post.counter(), 1L).containsEntry(other.counter(), 1L);
    }

    @Test
    void refusedLikeIsReportedAndCanBeTriedAgain() {
        store.faults().inject(Fault.FAIL, Calls.next(post.counter()));
        Answer refused = likes.like(post, click);
        assertThat(refused.state()).isEqualTo(Answer.State.NOT_APPLIED);
        assertThat(refused.why()).isNotEmpty();
        assertThat(total()).isZero();
        assertThat(likes.like(post, click).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(total()).isEqualTo(1);
    }

    @Test
    void lostReplyIsSettledInTheBackground() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next(post.counter()));
        assertThat(likes.like(post, click).state()).isEqualTo(Answer.State.UNKNOWN);
        patiently()
                .untilAsserted(() -> assertThat(likes.answer(post, click))
                        .isNotNull()
                        .satisfies(answer -> assertThat(answer.state()).isEqualTo(Answer.State.APPLIED)));
        assertThat(total()).isEqualTo(1);
    }

    @Test
    void refusalAfterALostReplyDecidesNothing() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next(post.counter()));
        var refusals = store.faults().inject(Fault.FAIL, Calls.all(post.counter()));
        assertThat(likes.like(post, click).state()).isEqualTo(Answer.State.UNKNOWN);
        assertThat(likes.like(post, click).state()).isEqualTo(Answer.State.UNKNOWN);
        refusals.release();
        patiently().until(() -> likes.like(post, click).state() == Answer.State.APPLIED);
        assertThat(total()).isEqualTo(1);
    }

    @Test
    void crowdCountsEachPersonOnce() {
        assertThat(likes.crowd(post, click, 200).state()).isEqualTo(Answer.State.APPLIED);
        assertThat(likes.crowd(post, click, 200).state()).isEqualTo(Answer.State.APPLIED);
        patiently().until(() -> total() == 200);
    }
}
