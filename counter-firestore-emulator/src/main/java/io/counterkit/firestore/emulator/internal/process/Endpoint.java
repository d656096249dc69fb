package io.counterkit.firestore.emulator.internal.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An address at which an emulator may answer. */
public record Endpoint(String hostAndPort) {
    /** The timeout of one request. Short, since an emulator is near. */
    private static final int TIMEOUT_MILLIS = 1_000;

    private static final int MAX_PORT = 65_535;

    private static final Duration PAUSE = Duration.ofMillis(50);

    /**
     * Parses an address.
     *
     * @param source where the text comes from, for the message
     */
    public static Endpoint parse(String hostAndPort, String source) {
        try {
            URI uri = new URI("http://" + hostAndPort);
            if (uri.getHost() != null
                    && uri.getPort() > 0
                    && uri.getPort() <= MAX_PORT
                    && uri.getRawAuthority().equals(hostAndPort)) {
                return new Endpoint(hostAndPort);
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(source + " \"" + hostAndPort + "\": use host:port with a port up to 65535,"
                + " such as 127.0.0.1:8080");
    }

    /** Waits until an emulator answers, for at most {@code patience}. */
    public void await(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (; ; ) {
            try {
                ask();
                return;
            } catch (IOException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    /** Sends one request, and returns if an emulator answers. */
    void ask() throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + hostAndPort + "/").toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try {
            String answer = connection.getResponseCode() == 200
                    ? new String(connection.getInputStream().readNBytes(100), StandardCharsets.UTF_8).strip()
                    : "HTTP status " + connection.getResponseCode();
            if (!answer.equals("Ok")) {
                throw new IOException("the server there is no Firestore emulator; it answered: " + answer);
            }
        } finally {
            connection.disconnect();
        }
    }
}
