package io.counterkit.examples.likes.browser;

import static org.awaitility.Awaitility.await;

import io.counterkit.tck.Prerequisite;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;

/** Headless Chromium: what a person sees and does on the page. */
final class Browser {
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox", // a build may run as root, in a container; the pages are ours
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1120,900",
            "--force-device-scale-factor=1");

    /** Held here, since the log manager forgets a logger without references. Its warnings are about unused features. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    /** The longest time that a page takes to show something. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final SharedBrowser SHARED = new SharedBrowser();

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * Returns the browser of all tests in its initial state; each test has its own address. Without Chromium the test
     * is skipped, or fails if it is required.
     */
    static Browser shared() {
        Browser browser = Prerequisite.required(SHARED::get);
        browser.cdp("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        browser.cdp("Emulation.clearDeviceMetricsOverride", Map.of());
        browser.cdp("Emulation.setEmulatedMedia", Map.of());
        // Away from what the test before clicked.
        browser.cdp("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", 0, "y", 0));
        return browser;
    }

    private static Browser start() throws IOException {
        SELENIUM.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(find("chromium", "chromium-browser", "google-chrome"));
        options.addArguments(FLAGS);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(find("chromedriver"))
                .usingAnyFreePort()
                .withTimeout(Duration.ofMinutes(2)) // a busy machine is slow to start it
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    private static File find(String... names) throws IOException {
        for (String directory : System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1)) {
            for (String name : names) {
                File file = new File(directory, name);
                if (file.canExecute()) {
                    return file;
                }
            }
        }
        throw new IOException("there is no " + names[0] + " on the PATH: install Chromium and ChromeDriver"
                + " (Debian: apt-get install chromium chromium-driver)");
    }

    void open(URI page) {
        driver.get(page.toString());
    }

    void reload() {
        driver.navigate().refresh();
    }

    /** Returns the text of an element, by CSS selector; empty if it is missing. */
    String text(String selector) {
        // In one step, since the page may replace the element meanwhile.
        Object text = driver.executeScript(
                "const found = document.querySelector(arguments[0]); return found ? found.textContent.trim() : '';",
                selector);
        return String.valueOf(text);
    }

    /** Returns a number that an element shows. */
    long number(String selector) {
        return Long.parseLong(text(selector).replace(",", ""));
    }

    List<?> texts(String selector) {
        return (List<?>) driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(found => found.textContent.trim());",
                selector);
    }

    boolean isShown(String selector) {
        return driver.findElements(By.cssSelector(selector)).stream().anyMatch(WebElement::isDisplayed);
    }

    void click(String selector) {
        // The page may replace the element between finding and clicking it; then it was not clicked.
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    WebElement element = driver.findElement(By.cssSelector(selector));
                    // The driver would scroll it to the edge, under the header.
                    driver.executeScript(
                            "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' });", element);
                    element.click();
                    return true;
                });
    }

    /** Marks the second click, since the driver treats a late one as another single click. */
    void doubleClick(String selector) {
        List<?> middle = (List<?>) driver.executeScript("""
                const found = document.querySelector(arguments[0]);
                found.scrollIntoView({block: 'center', behavior: 'instant'});
                const box = found.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
                """, selector);
        for (int count = 1; count <= 2; count++) {
            for (String type : List.of("mousePressed", "mouseReleased")) {
                Map<String, Object> event = Map.of(
                        "type", type, "x", middle.get(0), "y", middle.get(1), "button", "left", "clickCount", count);
                cdp("Input.dispatchMouseEvent", event);
            }
        }
    }

    /**
     * Waits until the order book ends with {@code last} and is not replaced any more. A click is lost if its button is
     * replaced between press and release.
     */
    void awaitBook(int last) {
        patiently()
                .until(() -> Boolean.TRUE.equals(driver.executeScript(
                        "return document.querySelector('#last').textContent === arguments[0]"
                                + " && !document.querySelector('#book').ariaBusy;",
                        Integer.toString(last))));
    }

    void type(String selector, String text) {
        WebElement field = driver.findElement(By.cssSelector(selector));
        field.clear();
        field.sendKeys(text);
    }

    /** Moves the pointer to the middle of an element. */
    void hover(String selector) {
        new Actions(driver)
                .moveToElement(driver.findElement(By.cssSelector(selector)))
                .perform();
    }

    /** Changes the time zone of the page; empty for that of the machine. */
    void timeZone(String zone) {
        cdp("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
    }

    void withoutScripts() {
        cdp("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    }

    void look(boolean isDark, int width) {
        cdp(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
        cdp(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Writes a picture of the whole page, or of what is in sight at its top. */
    void photograph(Path file, boolean isWhole) {
        driver.executeScript("scrollTo({ top: 0, behavior: 'instant' });");
        Map<String, Object> shot =
                cdp("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", isWhole));
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, SmallPicture.of(Base64.getDecoder().decode(String.valueOf(shot.get("data")))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isWiderThanTheScreen() {
        return Boolean.TRUE.equals(
                driver.executeScript("return document.documentElement.scrollWidth > window.innerWidth;"));
    }

    /** Returns texts with less contrast to their background than WCAG 2 requires (level AA, 4.5 to 1). */
    List<?> paleTexts() {
        return (List<?>) driver.executeScript("""
                document.querySelectorAll('*').forEach(e => e.style.transition = 'none');
                const parts = color => color.match(/[\\d.]+/g).map(Number);
                const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
                const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
                const behind = element => {
                  for (let e = element; e; e = e.parentElement) {
                    const color = parts(getComputedStyle(e).backgroundColor);
                    if (color.length < 4 || color[3] > 0) return color;
                  }
                  return [255, 255, 255];
                };
                return [...document.querySelectorAll('body *')]
                  .filter(e => e.offsetParent && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
                  .map(e => {
                    const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))];
                    return {e, contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)};
                  })
                  .filter(({contrast}) => contrast < 4.5)
                  .map(({e, contrast}) => contrast.toFixed(2) + ' ' + e.tagName + ' ' + e.textContent.trim());
                """);
    }

    /** Presses keys on the focused element. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    private Map<String, Object> cdp(String command, Map<String, Object> parameters) {
        return driver.executeCdpCommand(command, parameters);
    }

    /** Waits for the page to show something. Repeats a check that fails because the page is being replaced. */
    static ConditionFactory patiently() {
        return await().atMost(PATIENCE).ignoreExceptionsInstanceOf(WebDriverException.class);
    }

    /** Starts the browser once; it ends with this JVM. */
    private static final class SharedBrowser {
        private @Nullable Browser browser;

        synchronized Browser get() throws IOException {
            if (browser == null) {
                Browser started = startAgainIfNeeded();
                Runtime.getRuntime().addShutdownHook(new Thread(started.driver::quit));
                browser = started;
            }
            return browser;
        }

        /** On a busy machine Chromium may take longer to start than its driver waits. */
        private static Browser startAgainIfNeeded() throws IOException {
            try {
                return start();
            } catch (WebDriverException e) {
                return start();
            }
        }
    }
}
