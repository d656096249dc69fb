package io.counterkit.examples.likes.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.datastore.local.guice.LocalDatastoreCounterModule;
import io.counterkit.examples.likes.FakeStore;
import io.counterkit.examples.likes.RunningApplication;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes pictures of the page in target/screenshots; with {@code -Dcounterkit.pictures=write} those that the docs show,
 * in docs/pictures.
 */
@Tag("exhaustive")
class ScreenshotTest {
    private static final Path DOCS = Path.of("..", "..", "docs", "pictures");
    private static final Path PICTURES =
            System.getProperty("counterkit.pictures", "").equals("write") ? DOCS : Path.of("target", "screenshots");
    private static final int WIDE = 1120;
    private static final int NARROW = 390;

    @Test
    void pageFitsEveryScreen(@TempDir Path data) {
        Browser browser = Browser.shared();
        // Commits are slow enough on this store for likes to be merged.
        Module datastore = Modules.combine(
                new LocalDatastoreCounterModule(data, Durability.EACH_COMMIT),
                binder -> binder.bind(AutoCloseable.class).to(LocalDatastore.class));
        try (RunningApplication application = RunningApplication.start(datastore, "local Datastore")) {
            browser.look(false, WIDE);
            browser.open(application.address());
            fill(browser);
            photograph(browser, "likes-wide", false, WIDE, true);
            photograph(browser, "likes-dark", true, WIDE, true);
            photograph(browser, "likes-phone", false, NARROW, false);
            photograph(browser, "likes-dark-phone", true, NARROW, false);
        }
    }

    private static void photograph(Browser browser, String name, boolean isDark, int width, boolean isWhole) {
        browser.look(isDark, width);
        assertThat(browser.isWiderThanTheScreen()).isFalse();
        assertThat(browser.paleTexts()).isEmpty();
        browser.photograph(PICTURES.resolve(name + ".png"), isWhole);
    }

    @Test
    void docsShowThePictures() throws IOException {
        Path root = Path.of("..", "..");
        assertThat(Files.readString(root.resolve("README.md"))).contains("(docs/pictures/likes-wide.png)");
        String page = Files.readString(Path.of("README.md"));
        try (Stream<Path> pictures = Files.list(DOCS)) {
            List<Path> likes = pictures.filter(
                            file -> file.getFileName().toString().startsWith("likes-"))
                    .toList();
            assertThat(likes).hasSizeGreaterThan(4);
            for (Path picture : likes) {
                assertThat(Files.size(picture)).isBetween(10_000L, 150_000L);
                assertThat(page).contains("(../../docs/pictures/" + picture.getFileName() + ")");
            }
        }
    }

    @Test
    void pageOfABrokenStoreFitsEveryScreen() {
        Browser browser = Browser.shared();
        FakeStore fake = new FakeStore();
        try (RunningApplication application = RunningApplication.start(fake, "in memory")) {
            browser.look(false, WIDE);
            browser.open(application.address());
            Browser.patiently().until(() -> browser.text("#health").equals("live"));
            browser.click("#breakage button");
            browser.click("#crowd button");
            browser.click("#post-gapless .like button");
            Browser.patiently()
                    .until(() -> browser.text("[data-figure='counted']").equals("501"));
            Browser.patiently()
                    .until(() -> browser.text("[data-figure='confirmed']").equals("501"));
            photograph(browser, "likes-broken", false, WIDE, true);
            fake.store().faults().inject(Fault.FAIL, Calls.all());
            Browser.patiently().until(() -> browser.isShown("#health.trouble"));
            browser.click("#post-gapless .like button");
            Browser.patiently().until(() -> browser.text("#post-gapless .said").startsWith("Not counted"));
            photograph(browser, "likes-unreachable", false, WIDE, true);
            photograph(browser, "likes-unreachable-phone", true, NARROW, false);
        }
    }

    private static void fill(Browser browser) {
        Browser.patiently().until(() -> browser.text("#health").equals("live"));
        browser.click("#crowd button");
        String[] posts = {"honest", "lost-reply", "honest", "restart", "honest", "gapless", "lost-reply"};
        for (String post : posts) {
            String before = browser.text("#post-" + post + " .total");
            browser.click("#post-" + post + " .like button");
            Browser.patiently()
                    .until(() -> !browser.text("#post-" + post + " .total").equals(before));
        }
        for (int number = 1; number <= 7; number++) {
            browser.run(
                    "document.querySelector('[name=item]').selectedIndex = arguments[0];"
                            + "document.querySelector('[name=quantity]').value = arguments[1];",
                    number % 4,
                    1 + number * 3 % 5);
            browser.click("#orders .order button");
            String said = "Your order is number " + number + ".";
            Browser.patiently().until(() -> browser.text("#orders .said").equals(said));
        }
        Browser.patiently().until(() -> browser.text("#book tbody th").equals("7"));
        browser.awaitBook(7);
        browser.click("#book button[aria-label='Cancel order 5']");
        Browser.patiently().until(() -> browser.text("#book tbody th").equals("8"));
        Browser.patiently().until(() -> browser.text("#post-hot-counter .total").equals("500"));
    }
}
