package io.counterkit.examples.likes.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.examples.likes.FakeStore;
import io.counterkit.examples.likes.RunningApplication;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.Injection;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the page shows and announces, and that it moves nothing from under a finger. */
class PageTest {
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
        application.close();
    }

    private void awaitText(String selector, String text) {
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.text(selector)).isEqualTo(text));
    }

    /** Keeps the page's timers of at least this many milliseconds until {@link #endTimers}. */
    private void holdTimers(int millis) {
        browser.run("""
            const set = window.setTimeout;
            window.held = [];
            window.setTimeout = (task, millis, ...rest) =>
              millis >= arguments[0] ? -held.push(() => task(...rest)) : set(task, millis, ...rest);
            """, millis);
    }

    private void endTimers() {
        browser.run("held.splice(0).forEach((task) => task());");
    }

    private List<?> places() {
        return (List<?>) browser.run("""
            return [...document.querySelectorAll('button, input:not([type=hidden]), select, header a')].map((e) => {
              const { x, y } = e.getBoundingClientRect();
              const top = document.querySelector(e.closest('header') ? 'header' : 'main').getBoundingClientRect().y;
              return [e.textContent, Math.round(x), Math.round(y - top)].join(' ');
            });\
            """);
    }

    /** Likes a post without this application. */
    private void likeElsewhere(String post) {
        try (Counters others = Counters.over(InMemoryBackend.over(fake.store()), CountersOptions.defaults())) {
            others.counter("posts/" + post + "/likes").increment();
        }
    }

    private void orderElsewhere(String click) {
        browser.run(
                "return fetch('/orders', {method: 'POST', body: new URLSearchParams("
                        + "{item: 'Cocoa', quantity: '2', click: arguments[0]})}).then(() => 1);",
                click);
    }

    @Test
    void everyPostAndColumn_hasANameForScreenReaders() {
        List<?> names = (List<?>) browser.run("""
            return [...document.querySelectorAll('article')].map((e) => e.getAttribute('aria-label'))
              .concat([...document.querySelectorAll('th[scope=col]')].map((e) => e.textContent));\
            """);
        assertThat(names)
                .hasSizeGreaterThan(5)
                .allSatisfy(name -> assertThat((String) name).isNotBlank());
    }

    @Test
    void oneOrderStands() {
        awaitText("#standing-noun", "orders stand");
        browser.click("#orders .order button");
        awaitText("#standing", "1");
        assertThat(browser.text("#standing-noun")).isEqualTo("order stands");
        assertThat(browser.text("#last-noun")).isEqualTo("number issued, without a gap");
        browser.click("#orders .order button");
        awaitText("#standing", "2");
        assertThat(browser.text("#standing-noun")).isEqualTo("orders stand");
    }

    @Test
    void messagesMoveNothing() {
        for (int width : new int[] {390, 1120}) {
            browser.look(false, width);
            List<?> before = places();
            Injection held = fake.store().faults().inject(Fault.HOLD, Calls.all("posts/honest/likes"));
            browser.click(LIKE);
            awaitText(SAID, "No answer yet: finding out …");
            assertThat(places()).as("a like that hangs").isEqualTo(before);
            held.release();
            awaitText(SAID, "Counted.");
            browser.run(
                    "document.querySelectorAll('.said').forEach((said) => { said.textContent = 'word '.repeat(40); })");
            assertThat(places()).as("long messages").isEqualTo(before);
            Injection dead = fake.store().faults().inject(Fault.FAIL, Calls.all());
            Browser.patiently().until(() -> browser.isShown("#health.trouble"));
            assertThat(places()).as("trouble").isEqualTo(before);
            dead.release();
            awaitText("#health", "live");
        }
    }

    @Test
    void othersOrdersMoveNoButtonUnderThePointer() {
        orderElsewhere("elsewhere-1");
        awaitText("#book tbody th", "1");
        browser.awaitBook(1);
        browser.hover("#book button");
        orderElsewhere("elsewhere-2");
        awaitText("#last", "2");
        assertThat(browser.text("#book tbody th")).isEqualTo("1");
        browser.hover("#health");
        awaitText("#book tbody th", "2");
    }

    @Test
    void hangingLikeSaysSo() {
        browser.run(
                "const send = window.fetch; window.letArrive = new Promise((arrive) => { window.arrive = arrive; });"
                        + "window.fetch = async (...request) => { await window.letArrive; return send(...request); };");
        browser.click(LIKE);
        awaitText(SAID, "No answer yet: finding out …");
        browser.run("window.arrive();");
        awaitText(SAID, "Counted.");
    }

    @Test
    void hangingLikeIsSentAgainWhenTheConnectionIsBack() throws IOException {
        try (ServerProcess server = ServerProcess.start(List.of("--backend", "inmemory"))) {
            browser.open(server.address());
            awaitText("#health", "live");
            // No pause between two attempts ends.
            holdTimers(500);
            server.kill();
            awaitText("#health", "no connection; trying again");
            browser.click(LIKE);
            awaitText(SAID, "No answer yet: finding out …");
            server.start();
            awaitText(SAID, "Counted.");
            awaitText(TOTAL, "1");
            awaitText("#health", "live");
        }
    }

    @Test
    void noticesGoAfterAWhile() {
        holdTimers(5000);
        browser.click(LIKE);
        awaitText(SAID, "Counted.");
        browser.click("#orders .order button");
        awaitText("#orders .said", "Your order is number 1.");
        endTimers();
        assertThat(browser.text(SAID)).isEmpty();
        assertThat(browser.text("#orders .said")).isEmpty();
        assertThat(browser.text(TOTAL)).isEqualTo("1");
    }

    @Test
    void onlyAnswersToAPersonAreAnnounced() {
        assertThat(browser.run("""
            const live = document.querySelectorAll('output, [aria-live], [role=status], [role=alert], [role=log]');
            return [...live].filter((e) => !e.classList.contains('said')).map((e) => e.outerHTML);\
            """)).isEqualTo(List.of());
        browser.run("""
            window.announced = [];
            const note = () => document.querySelectorAll('.said').forEach((said) => {
              if (said.textContent) announced.push(said.textContent);
            });
            new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });
            """);
        likeElsewhere("gapless");
        awaitText("#post-gapless .total", "1");
        assertThat(browser.run("return announced.length;")).isEqualTo(0L);
        browser.click(LIKE);
        awaitText(SAID, "Counted.");
        assertThat(browser.run("return announced.includes('Counted.');")).isEqualTo(true);
    }

    @Test
    void ageIsShownWhenItMattersAndExplained() {
        awaitText(TOTAL, "0");
        assertThat(browser.isShown("#post-honest .age")).as("a fresh total").isFalse();
        Injection dead = fake.store().faults().inject(Fault.FAIL, Calls.all());
        Browser.patiently().until(() -> browser.isShown("#post-honest .age"));
        assertThat(browser.text("#post-honest .age")).matches("up to \\d+ s old");
        assertThat(browser.run("return document.querySelector('#post-honest .age').title;"))
                .asString()
                .matches("This total was right at some moment within the last \\d+ s\\.");
        dead.release();
        Browser.patiently().until(() -> !browser.isShown("#post-honest .age"));
    }

    @Test
    void ownLikesAreMarked() {
        likeElsewhere("honest");
        awaitText(TOTAL, "1");
        assertThat(browser.text("#post-honest .mine")).isEmpty();
        browser.click(LIKE);
        awaitText("#post-honest .mine", "1 by you");
        browser.doubleClick(LIKE);
        awaitText("#post-honest .mine", "2 by you");
        browser.reload();
        awaitText("#health", "live");
        assertThat(browser.text("#post-honest .mine")).isEqualTo("2 by you");
        assertThat(browser.isShown("#post-honest .liked")).isTrue();
        assertThat(browser.text("#post-gapless .mine")).isEmpty();
    }

    @Test
    void marksOfAnotherStoreAreForgotten() throws IOException {
        try (ServerProcess server = ServerProcess.start(List.of("--backend", "inmemory"))) {
            browser.open(server.address());
            browser.click(LIKE);
            awaitText("#post-honest .mine", "1 by you");
            server.kill();
            server.start();
            awaitText(TOTAL, "0");
            awaitText("#post-honest .mine", "");
            assertThat(browser.run("return JSON.parse(localStorage.mine).honest;"))
                    .isEqualTo(0L);
        }
    }

    @Test
    void timesAreLocal() {
        browser.timeZone("Pacific/Kiritimati");
        try {
            browser.reload();
            browser.click("#orders .order button");
            awaitText("#book tbody th", "1");
            assertThat(browser.run("""
                const time = document.querySelector('#book time');
                return time.title.includes('GMT+1400')
                  && new Date(time.dateTime).toLocaleTimeString() === time.textContent;\
                """)).isEqualTo(true);
            assertThat(browser.text("#book th.at")).isEqualTo("When");
        } finally {
            browser.timeZone("");
        }
    }

    @Test
    void ordersAreATapAwayOnAPhone() {
        browser.look(false, 390);
        assertThat(inSight("#orders-title")).isFalse();
        browser.click("header a[href='#orders']");
        Browser.patiently().until(() -> inSight("#orders-title"));
        assertThat(inSight("#health")).as("health stays in sight").isTrue();
        browser.click("header a[href='#wall']");
        Browser.patiently().until(() -> inSight("#wall-title"));
    }

    private boolean inSight(String selector) {
        return Boolean.TRUE.equals(browser.run("""
                const found = document.querySelector(arguments[0]);
                const { x, y } = found.getBoundingClientRect();
                return found === document.elementFromPoint(x + 2, y + 8);\
                """, selector));
    }

    @Test
    void crowdSaysWhomItLikes() {
        assertThat(browser.text("#crowd button"))
                .isEqualTo("500 likes for " + browser.text("#post-hot-counter .author"));
    }

    /** Returns the texts of the list, with single blanks. */
    private List<String> ranking() {
        return browser.texts("#ranking li").stream()
                .map(line -> String.valueOf(line).replaceAll("\\s+", " "))
                .toList();
    }

    @Test
    void tiesAndZerosReadWell() {
        assertThat(ranking()).isEqualTo(List.of());
        assertThat(browser.text("#unliked")).isEqualTo("No likes yet: Ada, Barbara, Edsger, Grace, Leslie, Margaret");
        likeElsewhere("gapless");
        likeElsewhere("honest");
        likeElsewhere("restart");
        likeElsewhere("restart");
        awaitText("#unliked", "No likes yet: Ada, Edsger, Leslie");
        List<String> ranking = List.of("1 Margaret 2", "2= Barbara 1", "2= Grace 1");
        Browser.patiently().untilAsserted(() -> assertThat(ranking()).isEqualTo(ranking));
        browser.withoutScripts();
        browser.reload();
        assertThat(ranking()).isEqualTo(ranking);
    }
}
