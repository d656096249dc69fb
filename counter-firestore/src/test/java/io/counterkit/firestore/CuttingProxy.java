package io.counterkit.firestore;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on loopback that breaks the connection when the store has executed a request and starts to answer. It parses
 * only the start and the type of HTTP/2 frames.
 */
public final class CuttingProxy implements AutoCloseable {
    /** How a connection breaks. */
    public enum Cut {
        /** In good order, like a server that shuts down. */
        FIN,
        /** By a reset, like a machine on the way that has lost the connection. */
        RST
    }

    private static final int FRAME_HEADER = 9;
    private static final int HEADERS = 1;

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger toCut = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final InetAddress storeAddress;
    private final int storePort;
    private final Cut cut;

    public CuttingProxy(String store, Cut cut) throws IOException {
        int colon = store.lastIndexOf(':');
        storeAddress = InetAddress.getByName(store.substring(0, colon));
        storePort = Integer.parseInt(store.substring(colon + 1));
        this.cut = cut;
        start("accept", this::accept);
    }

    /** Returns the address for clients. */
    public String hostAndPort() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Cuts the connection of the next answer. */
    public void arm() {
        toCut.incrementAndGet();
    }

    /** Returns the number of connections cut so far. */
    public int cuts() {
        return cuts.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket store = new Socket(storeAddress, storePort);
            open.add(client);
            open.add(store);
            start("requests", () -> {
                try (client;
                        store) {
                    client.getInputStream().transferTo(store.getOutputStream());
                }
            });
            start("replies", () -> {
                try (client;
                        store) {
                    forwardReplies(client, store);
                }
            });
        }
    }

    private void forwardReplies(Socket client, Socket store) throws IOException {
        DataInputStream replies = new DataInputStream(store.getInputStream());
        OutputStream out = client.getOutputStream();
        byte[] header = new byte[FRAME_HEADER];
        int answered = 0;
        while (true) {
            replies.readFully(header);
            if (new String(header, StandardCharsets.US_ASCII).startsWith("HTTP/1.")) {
                // A check whether the emulator runs, which has no frames.
                out.write(header);
                replies.transferTo(out);
                return;
            }
            int stream = ByteBuffer.wrap(header).getInt(FRAME_HEADER - Integer.BYTES);
            // Later headers of a stream are the trailers of an answer that was already forwarded.
            boolean isAnswer = header[3] == HEADERS && stream > answered;
            if (isAnswer && takeCut()) {
                if (cut == Cut.RST) {
                    client.setSoLinger(true, 0);
                }
                return;
            }
            if (isAnswer) {
                answered = stream;
            }
            int length = (header[0] & 0xff) << 16 | (header[1] & 0xff) << 8 | (header[2] & 0xff);
            out.write(header);
            copy(replies, out, length);
            out.flush();
        }
    }

    private boolean takeCut() {
        if (toCut.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            return false;
        }
        cuts.incrementAndGet();
        return true;
    }

    private static void copy(InputStream from, OutputStream to, int length) throws IOException {
        byte[] bytes = from.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        to.write(bytes);
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // One end has closed, and the other end notices.
                    }
                },
                "cutting-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
