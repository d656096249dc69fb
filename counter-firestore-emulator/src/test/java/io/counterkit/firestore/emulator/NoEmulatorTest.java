package io.counterkit.firestore.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.counterkit.firestore.emulator.internal.process.CloudSdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the messages if there is no emulator, or it does not answer. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT) // three tests wait ten seconds each
class NoEmulatorTest {
    @TempDir
    Path folder;

    @Test
    void nothingInstalled_messageSaysWhatToInstall() {
        assertThatThrownBy(() -> FirestoreEmulator.find(Map.of("PATH", "")))
                .isInstanceOf(EmulatorUnavailableException.class)
                .hasMessageContaining("no gcloud on PATH")
                .hasMessageContaining("FIRESTORE_EMULATOR_HOST=host:port")
                .hasMessageContaining("gcloud components install cloud-firestore-emulator")
                .hasMessageContaining("org.testcontainers:testcontainers-gcloud");
    }

    @Test
    void sdkWithoutItsEmulator_isNamed() throws IOException {
        Path command = createSdk("sdk");

        assertThatThrownBy(() -> FirestoreEmulator.find(
                        Map.of("PATH", command.getParent().toString())))
                .isInstanceOf(EmulatorUnavailableException.class)
                .hasMessageContaining(folder.resolve("sdk").toRealPath() + " has no Firestore emulator");
    }

    @Test
    void sdkBehindALinkOnThePath_isFound() throws IOException {
        Path command = createSdk("sdk");
        Path jar = createJar("sdk");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("gcloud"), command);

        List<String> reasons = new ArrayList<>();
        assertThat(CloudSdk.findEmulator(Map.of("PATH", bin.toString()), reasons))
                .isEqualTo(jar.toRealPath());
        assertThat(reasons).isEmpty();
    }

    @Test
    void sdkOfAVariable_comesBeforeThatOfThePath() throws IOException {
        Path command = createSdk("path");
        createJar("path");
        Path jar = createJar("variable");

        assertThat(CloudSdk.findEmulator(
                        Map.of(
                                "PATH", command.getParent().toString(),
                                "CLOUDSDK_ROOT_DIR", folder.resolve("variable").toString()),
                        new ArrayList<>()))
                .isEqualTo(jar);
    }

    @Test
    void variableWithAnUnreachableAddress_isNamedWithinSeconds() throws IOException {
        String nowhere = "127.0.0.1:" + closedPort();

        assertThatThrownBy(() -> FirestoreEmulator.find(Map.of("FIRESTORE_EMULATOR_HOST", nowhere)))
                .isInstanceOf(EmulatorUnavailableException.class)
                .hasMessageContaining("FIRESTORE_EMULATOR_HOST " + nowhere)
                .hasMessageContaining("unset the variable");
    }

    @Test
    void silentServer_isGivenUpWithinSeconds() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + mute.getLocalPort();

            assertThatThrownBy(() -> FirestoreEmulator.at(address))
                    .isInstanceOf(EmulatorUnavailableException.class)
                    .hasMessageContaining(address);
        }
    }

    @Test
    void otherServer_isRecognized() throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        other.start();
        try {
            assertThatThrownBy(() -> FirestoreEmulator.at(
                            "127.0.0.1:" + other.getAddress().getPort()))
                    .isInstanceOf(EmulatorUnavailableException.class)
                    .hasMessageContaining("HTTP status 404");
        } finally {
            other.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "127.0.0.1:",
                ":8080",
                "http://127.0.0.1:8080",
                "a b:1",
                "127.0.0.1:x",
                "h:1/p",
                "h:65536"
            })
    void invalidAddress_isRefused(String address) {
        assertThatThrownBy(() -> FirestoreEmulator.find(Map.of("FIRESTORE_EMULATOR_HOST", address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FIRESTORE_EMULATOR_HOST \"" + address
                        + "\": use host:port with a port up to 65535, such as 127.0.0.1:8080");
    }

    @Test
    void jarWithoutEmulator_isReportedWithItsOutput() throws IOException {
        Path jar = createJar("sdk");

        assertThatThrownBy(() -> FirestoreEmulator.start(
                        EmulatorOptions.defaults(),
                        Map.of("CLOUDSDK_ROOT_DIR", folder.resolve("sdk").toString())))
                .isInstanceOf(EmulatorUnavailableException.class)
                .hasMessageContaining(jar + " did not start: it ended with exit code 1")
                .hasMessageContaining("ClassNotFoundException");
    }

    private Path createSdk(String name) throws IOException {
        Path bin = Files.createDirectories(folder.resolve(name).resolve("bin"));
        return Files.writeString(bin.resolve("gcloud"), "");
    }

    private Path createJar(String name) throws IOException {
        Path place = Files.createDirectories(folder.resolve(name).resolve("platform/cloud-firestore-emulator"));
        return Files.writeString(place.resolve("cloud-firestore-emulator.jar"), "");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
