package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineFormatTest {
    private static final String CLIENT = "192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] ";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    GET / HTTP/1.1                         | /
                    GET /a/b.html HTTP/1.1                 | /a/b.html
                    GET /a?b=c&d HTTP/1.1                  | /a
                    GET /a#b HTTP/1.1                      | /a
                    GET /?x HTTP/2.0                       | /
                    GET /caf%C3%A9 HTTP/1.1                | /caf%C3%A9
                    GET /old                               | /old
                    GET /with space HTTP/1.1               | /with
                    GET http://example.org/a?b HTTP/1.1    | /a
                    GET http://example.org HTTP/1.1        | http://example.org
                    GET /to?u=http://example.org/ HTTP/1.1 | /to
                    GET /a:b//c HTTP/1.1                   | /a:b//c
                    OPTIONS * HTTP/1.1                     | *
                    CONNECT example.org:443 HTTP/1.1       | example.org:443
                    GET /a\\"b HTTP/1.1                    | /a\\"b
                    """)
    void request_itsPathIsTheName(String request, String path) {
        assertThat(read(CLIENT + '"' + request + "\" 200 2326")).isEqualTo(path);
        assertThat(read(CLIENT + '"' + request + "\" 404 - \"-\" \"curl \\\"8\\\" [x] \""))
                .isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5",
                "www.example.org:443 192.0.2.7 - j d [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5 0.123",
                "192.0.2.7 - [x] \"y\" [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5",
                "192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200"
            })
    void columnsBeforeAndAfter_areIgnored(String line) {
        if (line.contains("[x] \"y\"")) {
            // The user's name looks like a request, but no status follows it.
            assertThatIllegalArgumentException().isThrownBy(() -> read(line));
        } else {
            assertThat(read(line)).isEqualTo("/a");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "192.0.2.7 - - [10/Oct/2025] GET / HTTP/1.1",
                "192.0.2.7 - - [10/Oct/2025] \"GET / HTTP/1.1",
                "192.0.2.7 - - [10/Oct/2025] \"GET / HTTP/1.1\\\" 200",
                "192.0.2.7 - - [10/Oct/2025] \"-\" 408 0",
                "192.0.2.7 - - [10/Oct/2025] \"\" 400 0",
                "192.0.2.7 - - [10/Oct/2025] \"GET \" 400 0",
                "192.0.2.7 - - [10/Oct/2025] \"GET /\" ok",
                "192.0.2.7 - - [10/Oct/2025] \"GET /\""
            })
    void lineWithoutRequest_isRefused(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(line))
                .withMessageStartingWith("no \"request\" with a path between a [date] and a status: '" + line);
    }

    /** Neither of these may need a stack as deep as the line is long. */
    @Test
    void longLine_isRead() {
        String path = "/" + "a\\\"".repeat(20_000);
        assertThat(read(CLIENT + "\"GET " + path + "?" + "b\\\"".repeat(20_000) + " HTTP/1.1\" 200 5"))
                .isEqualTo(path);
    }

    private static String read(String line) {
        LineFormat.Event event = LineFormat.accessLog(new String(line.getBytes(UTF_8), ISO_8859_1));
        assertThat(event.delta()).isEqualTo(1);
        return LineFormat.decode(event.name());
    }
}
