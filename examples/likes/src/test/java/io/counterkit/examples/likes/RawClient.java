package io.counterkit.examples.likes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A connection that sends arbitrary bytes. */
public final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final BufferedReader in;

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Connects to a server. */
    public static RawClient connect(URI server) {
        try {
            Socket socket = new Socket(server.getHost(), server.getPort());
            socket.setSoTimeout(PATIENCE_MILLIS);
            return new RawClient(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Likes a post as a page does, on a new connection, and returns the reply. */
    public static String like(URI server, String post, String... headers) {
        String form = "post=" + post + "&click=" + UUID.randomUUID();
        try (RawClient client = connect(server)) {
            return client.send("POST /likes HTTP/1.1\r\nContent-Length: " + form.length() + "\r\nConnection: close\r\n"
                            + String.join("", headers)
                            + (String.join("", headers).contains("Host:") ? "" : host(server))
                            + "\r\n" + form)
                    .readAll();
        }
    }

    /** Returns the header that names the server. */
    public static String host(URI server) {
        return "Host: " + server.getRawAuthority() + "\r\n";
    }

    /** Sends this text. */
    public RawClient send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the server still accepts data. */
    public boolean isTaken(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Reads until the server closes the connection. */
    public String readAll() {
        StringBuilder read = new StringBuilder();
        try {
            for (int c = in.read(); c >= 0; c = in.read()) {
                read.append((char) c);
            }
        } catch (SocketException e) {
            read.append("(reset)"); // it hung up before it had read everything
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read.toString();
    }

    /** Reads to the line that contains a text. */
    public String readUntil(String text) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.contains(text)) {
                    return line;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("the server closed the connection before it sent " + text);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
