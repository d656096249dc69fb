package io.counterkit.examples.likes.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.examples.likes.FakeStore;
import io.counterkit.examples.likes.RunningApplication;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.Injection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page when the store fails, and its keyboard and order book. */
@Tag("exhaustive")
class TroubleTest {
    private static final String COUNTER = "posts/honest/likes";
    private static final String LIKE = "#post-honest .like button";
    private static final String SAID = "#post-honest .said";
    private static final String TOTAL = "#post-honest .total";

    private final FakeStore fake = new FakeStore();
    private Browser browser;
    private RunningApplication application;

    @BeforeEach
    void open() {
        browser = Browser.shared();
        application = RunningApplication.start(fake);
        browser.open(application.address());
        awaitText("#health", "live");
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
    }

    private void awaitText(String selector, String text) {
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.text(selector)).isEqualTo(text));
    }

    private Object placeOf(String selector) {
        return browser.run("return document.querySelector(arguments[0]).getBoundingClientRect().top;", selector);
    }

    private long total() {
        return fake.store().dump().counters().getOrDefault(COUNTER, 0L);
    }

    @Test
    void likeThatWasNotCountedCanBeTriedAgain() {
        Injection refusals = fake.store().faults().inject(Fault.FAIL, Calls.all());
        browser.click(LIKE);
        awaitText(SAID, "Not counted: nothing happened.");
        awaitText(LIKE + " .label", "Again");
        refusals.release();
        browser.click(LIKE);
        awaitText(SAID, "Counted.");
        awaitText(LIKE + " .label", "Like");
        awaitText(TOTAL, "1");
    }

    @Test
    void keyboardIsEnoughAndKeepsItsFocus() {
        browser.run("document.querySelector(arguments[0]).focus()", "#post-gapless .like button");
        browser.press(Keys.TAB, Keys.TAB); // past the next post to the one after
        assertThat(browser.run("return document.activeElement === document.querySelector(arguments[0]);", LIKE))
                .isEqualTo(true);
        assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle;"))
                .isEqualTo("solid");
        browser.press(Keys.ENTER);
        awaitText(TOTAL, "1");
        browser.press(Keys.SPACE);
        awaitText(TOTAL, "2");
        browser.run("document.querySelector('[name=quantity]').focus()");
        browser.press(Keys.ENTER);
        awaitText("#orders .said", "Your order is number 1.");
        awaitText("#book tbody th", "1");
        browser.run("document.querySelector('#book nav input').focus()");
        browser.run("fetch('/orders', {method: 'POST', body: new URLSearchParams("
                + "{item: 'Cocoa', quantity: '2', click: 'from-elsewhere'})})");
        awaitText("#book tbody th", "2");
        assertThat(browser.run("return document.activeElement.name;")).isEqualTo("from");
    }

    /** Places an order, and replies to the page's next request for the book with this script's promise. */
    private void orderWithBookReply(String promise) {
        browser.run("""
                const send = window.fetch;
                window.fetch = (address, options) => {
                  const reply = send(address, options);
                  if (options.method) return reply;
                  window.fetch = send;
                  window.isBookAsked = true;
                  return %s;
                };""".formatted(promise));
        browser.click("#orders .order button");
        Browser.patiently()
                .until(() -> browser.run("return !!window.isBookAsked;").equals(true));
    }

    @Test
    void lateReplyDoesNotReplaceANewerBook() {
        orderWithBookReply("""
                new Promise((arrive) => {
                  window.letArrive = () => new Promise((shown) => arrive({
                    ok: true,
                    text: async () => { const text = await (await reply).text(); setTimeout(shown); return text; },
                  }));
                })""");
        browser.click("#orders .order button");
        awaitText("#book tbody th", "2");
        browser.run("return window.letArrive();");
        assertThat(browser.text("#book tbody th")).isEqualTo("2");
    }

    @Test
    void failedReplyDoesNotReplaceTheBook() {
        orderWithBookReply("Promise.resolve(new Response('Something is wrong', { status: 500 }))");
        browser.click("#orders .order button");
        awaitText("#book tbody th", "2");
    }

    @Test
    void unknownLikeIsSettledAndReported() {
        Injection losses = fake.store().faults().inject(Fault.LOSE_REPLY, Calls.all(COUNTER));
        browser.click(LIKE);
        Browser.patiently().untilAsserted(() -> assertThat(browser.text(SAID)).contains("finding out"));
        losses.release();
        awaitText(SAID, "Counted.");
        awaitText(TOTAL, "1");
        assertThat(total()).isEqualTo(1);
    }

    @Test
    void unknownLikeSurvivesAReload() {
        Injection losses = fake.store().faults().inject(Fault.LOSE_REPLY, Calls.all(COUNTER));
        browser.click(LIKE);
        Browser.patiently().untilAsserted(() -> assertThat(browser.text(SAID)).contains("finding out"));
        browser.reload();
        Browser.patiently().untilAsserted(() -> assertThat(browser.text(SAID)).contains("finding out"));
        losses.release();
        awaitText(SAID, "Counted.");
        assertThat(total()).isEqualTo(1);
    }

    @Test
    void unknownOrderIsSettledAndItsNumberReported() {
        Injection losses = fake.store().faults().inject(Fault.LOSE_REPLY, Calls.all("orders"));
        browser.click("#orders .order button");
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.text("#orders .said")).contains("finding out"));
        losses.release();
        awaitText("#orders .said", "Your order is number 1.");
        awaitText("#last", "1");
    }

    @Test
    void pageStaysUsableWithoutItsStore() {
        browser.click(LIKE);
        awaitText(TOTAL, "1");
        Object place = placeOf(LIKE);
        Injection dead = fake.store().faults().inject(Fault.FAIL, Calls.all());
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.text("#health")).startsWith("cannot be read since"));
        assertThat(placeOf(LIKE)).as("the button does not move").isEqualTo(place);
        assertThat(browser.isShown("#post-honest .age.old"))
                .as("the age is shown")
                .isTrue();
        assertThat(browser.text(TOTAL)).isEqualTo("1");
        browser.reload();
        assertThat(browser.text("#health")).startsWith("cannot be read since");
        assertThat(browser.text(TOTAL)).isEqualTo("1");
        assertThat(browser.text("#book")).isEqualTo("The order book cannot be read now.");
        dead.release();
        awaitText("#health", "live");
        awaitText("#book", "There are no orders yet. The first order gets number 1.");
    }

    @Test
    void totalThatWasNeverReadIsNotZero() {
        application.close();
        fake.store().faults().inject(Fault.FAIL, Calls.all());
        try (RunningApplication blind = RunningApplication.start(fake)) {
            browser.withoutScripts();
            browser.open(blind.address());
            assertThat(browser.text(TOTAL)).isEqualTo("–");
            assertThat(browser.text("#post-honest .age")).isEqualTo("not known");
            assertThat(browser.text("#last")).isEqualTo("–");
            assertThat(browser.text("#health")).startsWith("cannot be read");
            browser.click(LIKE);
            Browser.patiently()
                    .untilAsserted(
                            () -> assertThat(browser.text("#notice")).contains("you can try again", "Send again"));
        }
    }

    @Test
    void withoutAScriptTheNextPageReportsAnUnknownLike() {
        browser.withoutScripts();
        browser.open(application.address());
        Injection losses = fake.store().faults().inject(Fault.LOSE_REPLY, Calls.all(COUNTER));
        browser.click(LIKE);
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.text("#notice")).contains("The outcome is being resolved"));
        losses.release();
        awaitText("#notice p", "Counted.");
        assertThat(total()).isEqualTo(1);
    }
}
