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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes pictures for reviewers into target/screenshots; the README shows light-wide.png. */
class ScreenshotTest {
    private static final Path PICTURES = Path.of("target", "screenshots");
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
            for (boolean isDark : List.of(false, true)) {
                for (int width : List.of(WIDE, NARROW)) {
                    browser.look(isDark, width);
                    assertThat(browser.isWiderThanTheScreen()).isFalse();
                    assertThat(browser.paleTexts()).isEmpty();
                    String name = (isDark ? "dark" : "light") + (width == WIDE ? "-wide" : "-narrow");
                    browser.photograph(PICTURES.resolve(name + ".png"));
                }
            }
        }
    }

    @Test
    void readmeShowsAPicture() throws IOException {
        Path root = Path.of("..", "..");
        String picture = "examples/likes/likes.png";
        assertThat(Files.readString(root.resolve("README.md"))).contains("(" + picture + ")");
        assertThat(Files.size(root.resolve(picture))).isBetween(10_000L, 200_000L);
    }

    @Test
    void pageWithoutItsStoreFitsEveryScreen() {
        Browser browser = Browser.shared();
        FakeStore fake = new FakeStore();
        try (RunningApplication application = RunningApplication.start(fake)) {
            browser.look(false, WIDE);
            browser.open(application.address());
            Browser.patiently().until(() -> browser.text("#state").equals("live"));
            fake.store().faults().inject(Fault.FAIL, Calls.all());
            Browser.patiently().until(() -> browser.isShown("#trouble"));
            browser.click("#post-gapless .like button");
            Browser.patiently().until(() -> browser.text("#post-gapless .said").startsWith("Not counted"));
            browser.look(false, WIDE);
            browser.photograph(PICTURES.resolve("trouble-light.png"));
            browser.look(true, NARROW);
            assertThat(browser.isWiderThanTheScreen()).isFalse();
            assertThat(browser.paleTexts()).isEmpty();
            browser.photograph(PICTURES.resolve("trouble-dark-narrow.png"));
        }
    }

    private static void fill(Browser browser) {
        Browser.patiently().until(() -> browser.text("#state").equals("live"));
        browser.click("aside form button");
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
