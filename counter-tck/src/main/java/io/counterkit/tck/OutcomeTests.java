package io.counterkit.tck;

import io.counterkit.tck.chapter.outcome.CallersChapter;
import io.counterkit.tck.chapter.outcome.DecisionsChapter;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.outcome.FailedResolutionsChapter;
import io.counterkit.tck.chapter.outcome.FailureChapter;
import io.counterkit.tck.chapter.outcome.LargeCallsChapter;
import io.counterkit.tck.chapter.outcome.LastingChapter;
import io.counterkit.tck.chapter.outcome.LateChangesChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import io.counterkit.tck.chapter.outcome.ManyCallsChapter;
import io.counterkit.tck.chapter.outcome.OutcomesChapter;
import io.counterkit.tck.chapter.outcome.ResolvedCommitsChapter;
import io.counterkit.tck.chapter.outcome.ResourcesChapter;
import io.counterkit.tck.chapter.outcome.ViewsChapter;
import io.counterkit.tck.chapter.store.DefaultsChapter;
import io.counterkit.tck.chapter.store.LifecycleChapter;
import io.counterkit.tck.chapter.store.ManyEntriesChapter;
import io.counterkit.tck.chapter.store.ReopenedChapter;
import io.counterkit.tck.chapter.store.SizesChapter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The part of the contract on outcomes, failures and sizes. */
abstract class OutcomeTests extends BackendTests {
    @Nested
    @DisplayName("5 Exactly once")
    final class ExactlyOnce extends ExactlyOnceChapter {}

    @Nested
    @DisplayName("5 Exactly once: lost replies")
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    @DisplayName("5 Exactly once: late changes")
    final class LateChanges extends LateChangesChapter {}

    @Nested
    @DisplayName("5 Exactly once: decisions")
    final class Decisions extends DecisionsChapter {}

    @Nested
    @DisplayName("5, 7 Exactly once: resolved commits")
    final class ResolvedCommits extends ResolvedCommitsChapter {}

    @Nested
    @DisplayName("5 Exactly once: resolutions that fail")
    final class FailedResolutions extends FailedResolutionsChapter {}

    @Nested
    @DisplayName("5 Exactly once: after later changes")
    final class Lasting extends LastingChapter {}

    @Nested
    @DisplayName("7 Failure and outcome")
    final class FailureAndOutcome extends FailureChapter {}

    @Nested
    @DisplayName("7 Failure and outcome: every operation")
    final class Outcomes extends OutcomesChapter {}

    @Nested
    @DisplayName("7 Failure and outcome: resources")
    final class Resources extends ResourcesChapter {}

    @Nested
    @DisplayName("7 Failure and outcome: large calls")
    final class LargeCalls extends LargeCallsChapter {}

    @Nested
    @DisplayName("7 Failure and outcome: many calls")
    final class ManyCalls extends ManyCallsChapter {}

    @Nested
    @DisplayName("7 Failure and outcome: callers")
    final class Callers extends CallersChapter {}

    @Nested
    @DisplayName("2, 3, 7, 10 Failure and outcome: every kind of read")
    final class Views extends ViewsChapter {}

    @Nested
    @DisplayName("12 Lifecycle")
    final class Lifecycle extends LifecycleChapter {}

    @Nested
    @DisplayName("12 Lifecycle: after the last process")
    final class Reopened extends ReopenedChapter {}

    @Nested
    @DisplayName("12 Lifecycle: default locales and time zones")
    final class OtherDefaults extends DefaultsChapter {}

    @Nested
    @DisplayName("Sizes beyond one page, cache or batch")
    final class Sizes extends SizesChapter {}

    @Nested
    @DisplayName("10, 13 Sizes: many entries and copies")
    final class ManyEntries extends ManyEntriesChapter {}
}
