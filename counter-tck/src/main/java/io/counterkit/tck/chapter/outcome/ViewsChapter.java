package io.counterkit.tck.chapter.outcome;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.view.View;
import io.counterkit.tck.internal.view.ViewTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Chapters 2, 3, 7 and 10, continued: every kind of read, after changes and during other reads. */
public abstract class ViewsChapter extends Chapter {
    private static final String OVERDUE = "with a deadline of 0 and every call to the store failing";

    private static final Duration SOON = Duration.ofMillis(150);

    /** How many names change while another thread reads them. */
    private static final int MOST = 60;

    /** How many of them change on a slow store. */
    private static final int FEW = 4;

    /** How long names change. */
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(100);

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 4;

    @Test
    @Rule(
            value = "2.11",
            lookAt = "what a batch stores besides its adds, for lists, rankings or states, and what it removes from"
                    + " caches")
    final void spec211_everyViewShowsABatchOfAdds() throws Exception {
        checkViews(View::ofAddsAtOnce);
    }

    @Test
    @Rule(
            value = "10.25",
            lookAt = "what a batch stores besides its entries, for lists, states and subjects, as in 2.11")
    final void spec1025_everyViewShowsABatchOfAppends() throws Exception {
        checkViews(View::ofAppendsAtOnce);
    }

    private void checkViews(Function<CounterBackend, List<View>> views) throws Exception {
        Stage stage = stage(here());
        List<TimedTrial> trials = new ArrayList<>();
        for (View view : views.apply(stage.actingBackend())) {
            trials.add(() -> {
                ViewTrial trial = view.on(stage, 2);
                trial.changeAndCheck();
                trial.changeAndCheck();
            });
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    @Test
    @Rule(
            value = "3.23",
            lookAt =
                    "a read, of the kind in the message, that returns the answer of another one that was under way when"
                            + " it began")
    final void spec323_everyReadThatBeginsDuringAnotherOneIsStrong() throws Exception {
        Stage stage = stage(here());
        List<TimedTrial> trials = new ArrayList<>();
        for (View view : immediate(stage)) {
            trials.add(() -> changeWhileRead(view, stage));
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    /** Returns the views of reads that do not lag. */
    private List<View> immediate(Stage stage) {
        boolean isListedAtOnce = fixture().lag().isZero();
        return View.all(stage.actingBackend()).stream()
                .filter(view -> isListedAtOnce || !view.isOfList())
                .toList();
    }

    private void changeWhileRead(View view, Stage stage) throws Exception {
        List<ViewTrial> begun = new CopyOnWriteArrayList<>(List.of(view.on(stage, 1)));
        tasks().repeatWhile(List.of(() -> begun.get(begun.size() - 1).read()), () -> {
            long start = System.nanoTime();
            for (int i = 1; i <= MOST && (i <= FEW || System.nanoTime() - start < LONG); i++) {
                ViewTrial trial = view.on(stage, 1);
                begun.add(trial);
                trial.read();
                trial.change();
                trial.checkActing("while another thread reads");
            }
        });
    }

    @Test
    @Rule(
            value = "7.24",
            lookAt = "a read that returns its last answer, or one from a cache, when the store does not answer")
    final void spec724_readThatFailsReturnsNoEarlierAnswer() throws Exception {
        List<FaultPlan> plans = FaultPlan.singleAndPairs();
        Stage patient = stage(here());
        Stage impatient = stage(impatient(SOON), SOON);
        Stage overdue = stage(here(), Duration.ZERO);
        List<TimedTrial> trials = new ArrayList<>();
        for (View view : immediate(patient)) {
            plans.forEach(plan -> trials.add(() -> failToRead(view, patient, plan)));
            trials.add(() -> failToRead(view, impatient, FaultPlan.failing()));
            trials.add(() -> {
                ViewTrial trial = view.on(overdue, 2);
                trial.read();
                trial.change();
                trial.read(OVERDUE, inject(FaultPlan.failing(), 1));
            });
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    private void failToRead(View view, Stage stage, FaultPlan plan) {
        Sweep.run(view + ", " + plan.label(), (label, call) -> {
            ViewTrial trial = view.on(stage, 2);
            trial.read();
            trial.change();
            return trial.read(label, inject(plan, call));
        });
    }

    @Test
    @Rule(
            value = "7.25",
            lookAt = "the further data that a change stores, for lists, rankings, states or subjects: it has to be"
                    + " stored in one step with the change, or to be completed by the next call")
    final void spec725_everyViewShowsAChangeWhoseCallsFailed() throws Exception {
        List<FaultPlan> plans = FaultPlan.singleAndPairs();
        Stage stage = stage(here());
        Stage overdue = stage(here(), Duration.ZERO);
        List<TimedTrial> trials = new ArrayList<>();
        for (View view : View.all(stage.actingBackend())) {
            plans.forEach(plan -> trials.add(() -> failToChange(view, stage, plan)));
            trials.add(() -> {
                ViewTrial trial = view.on(overdue, 2);
                trial.change(inject(FaultPlan.failing(), 1));
                trial.check(OVERDUE);
            });
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    private void failToChange(View view, Stage stage, FaultPlan plan) {
        Sweep.run(view + ", " + plan.label(), (label, call) -> {
            ViewTrial trial = view.on(stage, 2);
            boolean isHit = trial.change(inject(plan, call));
            trial.check(label);
            return isHit;
        });
    }
}
