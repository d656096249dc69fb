package io.counterkit.cli.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.rpc.Code;
import com.google.rpc.Status;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user reads if the service refuses the first call, with the codes and texts of Google's servers. */
class RefusedByTheServerTest {
    private final AtomicInteger calls = new AtomicInteger();
    private HttpServer server;
    private Status status;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            byte[] body = status.toByteArray();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(400, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PERMISSION_DENIED   | Missing or insufficient permissions. | these credentials may not use it, or there is no such project: check --project
                    NOT_FOUND           | The database d does not exist for project p | there is no such database: check --project and --database
                    UNAUTHENTICATED     | Request had invalid authentication credentials. | the credentials are not accepted: run
                    UNAVAILABLE         | try again | no Datastore emulator answers there
                    FAILED_PRECONDITION | The Cloud Datastore API is not available for Firestore in Native mode database p. | the database is in Firestore's native mode: use --backend firestore, or another --database
                    FAILED_PRECONDITION | The Cloud Datastore API is not available for Cloud Firestore projects. | the database is in Firestore's native mode: use --backend firestore
                    INVALID_ARGUMENT    | so it is | Datastore refused the call
                    """)
    void refusal_isExplainedAndNotRepeated(Code code, String text, String advice) {
        status = Status.newBuilder().setCode(code.getNumber()).setMessage(text).build();
        String address = "127.0.0.1:" + server.getAddress().getPort();

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RemoteDatastore.open(new GoogleOptions(address), ""))
                .withMessageStartingWith("emulator " + address + ": " + advice)
                .withMessageEndingWith("(" + text + ")");
        assertThat(calls).hasValue(1);
    }
}
