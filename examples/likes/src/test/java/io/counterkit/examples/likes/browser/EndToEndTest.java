package io.counterkit.examples.likes.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uses the page as a person does, on one of the stores. */
abstract class EndToEndTest {
    private static final String LIKE = "#post-honest .like button";
    private static final String TOTAL = "#post-honest .total";

    private Browser browser;
    private ServerProcess server;

    /** Returns the options of the server, with an empty store. */
    abstract List<String> options();

    /** Returns whether totals and orders survive a kill of the server. */
    abstract boolean isDurable();

    @BeforeEach
    void open() throws IOException {
        browser = Browser.shared();
        server = ServerProcess.start(options());
        browser.open(server.address());
        awaitText("#health", "live");
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private void awaitText(String selector, String text) {
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.text(selector)).isEqualTo(text));
    }

    private void order(int expected) {
        browser.click("#orders .order button");
        awaitText("#orders .said", "Your order is number " + expected + ".");
    }

    @Test
    void likesAndOrdersSurviveReloadsAndKills() throws Exception {
        awaitText(TOTAL, "0");
        browser.click(LIKE);
        awaitText("#post-honest .said", "Counted.");
        awaitText(TOTAL, "1");
        browser.doubleClick(LIKE);
        awaitText(TOTAL, "2");
        assertThat(browser.text("#post-honest .age")).matches("up to \\d+ s old");
        awaitText("#ranking li:first-child a", "Barbara");
        // The double click was sent twice and counted once.
        Browser.patiently().until(() -> Integer.parseInt(browser.text("#commits [data-figure='adds']")) >= 3);
        browser.reload();
        awaitText("#health", "live");
        awaitText(TOTAL, "2");

        for (int number = 1; number <= 12; number++) {
            order(number);
        }
        awaitText("#standing", "12");
        awaitText("#book tbody tr:first-child th", "12");
        browser.awaitBook(12);
        browser.click("#book button[aria-label='Cancel order 11']");
        awaitText("#orders .said", "Cancelled, by number 13.");
        awaitText("#standing", "11");
        awaitText("#last", "13");
        awaitText("#book tbody tr:first-child th", "13");

        server.kill();
        awaitText("#health", "no connection; trying again");
        browser.click(LIKE);
        Browser.patiently()
                .untilAsserted(
                        () -> assertThat(browser.text("#post-honest .said")).contains("No answer yet"));
        browser.reload();
        server.start();
        browser.open(server.address());
        // The click survived the server and the page, and counts once.
        awaitText(TOTAL, isDurable() ? "3" : "1");
        awaitText("#health", "live");
        awaitText("#last", isDurable() ? "13" : "0");
        awaitText("#standing", isDurable() ? "11" : "0");
        order(isDurable() ? 14 : 1);
        if (isDurable()) {
            browser.open(server.address().resolve("/?from=1#orders"));
            awaitNumbers(IntStream.rangeClosed(1, 10)
                    .map(i -> 11 - i)
                    .mapToObj(Integer::toString)
                    .toList());
            browser.click("#book nav a");
            awaitText("#book caption", "Numbers 11 to 14 of 14");
            awaitNumbers(List.of("14", "13", "12", "11"));
        }
    }

    /** Waits for the numbers of the orders that the book shows, which its script loads. */
    private void awaitNumbers(List<String> numbers) {
        Browser.patiently()
                .untilAsserted(() -> assertThat(browser.texts("#book tbody th")).isEqualTo(numbers));
    }

    @Test
    void crowdCountsExactly() {
        browser.click("#crowd button");
        Browser.patiently()
                .untilAsserted(() ->
                        assertThat(browser.text("#post-hot-counter .total")).isEqualTo("500"));
        awaitText("#ranking li:first-child .number", "500");
    }

    /** The crowd's likes, and then some, while every other reply of the store is dropped. */
    @Test
    void brokenStoreCountsExactly() {
        awaitText("#breakage [data-figure='counted']", "0");
        browser.click("#breakage button");
        awaitText("#health", "live; every other reply is dropped");
        browser.click("#crowd button");
        browser.click(LIKE);
        awaitText("#post-honest .said", "Counted.");
        order(1);
        order(2);
        awaitText("#breakage [data-figure='confirmed']", "501");
        awaitText("#breakage [data-figure='counted']", "501");
        awaitText("#post-hot-counter .total", "500");
        awaitText("#last", "2");
        assertThat(browser.number("#breakage [data-figure='droppedReplies']")).isPositive();
        assertThat(browser.number("#breakage [data-figure='retried']")).isGreaterThan(501);
        browser.click("#breakage button");
        awaitText("#health", "live");
    }

    @Test
    void everythingWorksWithoutAScript() {
        browser.withoutScripts();
        browser.open(server.address());
        browser.click(LIKE);
        awaitText("#notice", "Counted.");
        assertThat(browser.text(TOTAL)).isEqualTo("1");
        browser.reload();
        awaitText("#notice", "Counted.");
        assertThat(browser.text(TOTAL)).isEqualTo("1");
        browser.type("#orders input[name=quantity]", "3");
        browser.click("#orders .order button");
        awaitText("#notice", "Your order is number 1.");
        assertThat(browser.text("#book tbody td")).isEqualTo("3 × Coffee beans");
        browser.reload();
        awaitText("#last", "1");
        browser.click("#book button[aria-label='Cancel order 1']");
        awaitText("#notice", "Cancelled, by number 2.");
        assertThat(browser.text("#standing")).isEqualTo("0");
    }
}
