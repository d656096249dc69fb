package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The conventions of each system, on Unix: paths of Windows are not absolute here. */
class UserDirectoriesTest {
    private final Path home = Path.of(System.getProperty("user.home"));

    private static UserDirectories of(String system, Map<String, String> environment) {
        return UserDirectories.of(system, environment::get);
    }

    @Test
    void linux_followsTheXdgDirectories() {
        assertThat(of("Linux", Map.of()))
                .isEqualTo(new UserDirectories(
                        home.resolve(".local/share/counterkit"), home.resolve(".cache/counterkit")));
        assertThat(of("Linux", Map.of("XDG_DATA_HOME", "/d", "XDG_CACHE_HOME", "/c")))
                .isEqualTo(new UserDirectories(Path.of("/d/counterkit"), Path.of("/c/counterkit")));
        assertThat(of("Linux", Map.of("XDG_DATA_HOME", "relative", "XDG_CACHE_HOME", "")))
                .isEqualTo(of("Linux", Map.of()));
    }

    @Test
    void macAndWindows_haveTheirOwn() {
        assertThat(of("Mac OS X", Map.of("XDG_DATA_HOME", "/d")))
                .isEqualTo(new UserDirectories(
                        home.resolve("Library/Application Support/counterkit"),
                        home.resolve("Library/Caches/counterkit")));
        assertThat(of("Windows 11", Map.of("LOCALAPPDATA", "/local")))
                .isEqualTo(new UserDirectories(Path.of("/local/counterkit"), Path.of("/local/counterkit/cache")));
    }

    @Test
    void variable_namesOneDirectoryForEverything() {
        assertThat(of("Linux", Map.of("COUNTERKIT_HOME", "/own", "XDG_DATA_HOME", "/d")))
                .isEqualTo(new UserDirectories(Path.of("/own"), Path.of("/own/cache")));
    }
}
