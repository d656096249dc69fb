package io.counterkit.cli.google;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.Fault;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.counterkit.tck.Prerequisite;
import io.grpc.Status;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstContactTest {
    private final String project = "demo-" + UUID.randomUUID();
    private @Nullable Firestore client;

    @AfterEach
    void close() throws Exception {
        client.close();
    }

    @Test
    void emulator_answers() {
        client = Prerequisite.required(FirestoreEmulator::shared).connect(project);

        assertThatCode(() -> FirestoreConnection.contact(client, "counters")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PERMISSION_DENIED   | these credentials may not use it, or there is no such project
                    NOT_FOUND           | there is no such database: check --project and --database
                    UNAUTHENTICATED     | the credentials are not accepted
                    UNAVAILABLE         | Firestore cannot be reached
                    FAILED_PRECONDITION | Firestore refused the call
                    """)
    void refusal_isExplained(Status.Code code, String advice) {
        client = Prerequisite.required(FirestoreEmulator::shared)
                .connect(project, builder -> builder.setDatabaseId("db"), answering(code.toStatus()));

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> FirestoreConnection.contact(client, "counters"))
                .withMessageStartingWith("project '" + project + "', database 'db': " + advice)
                .withMessageEndingWith("(" + code + ": so it is)");
    }

    private static FirestoreFaults answering(Status status) {
        FirestoreFaults faults = new FirestoreFaults();
        for (int call = 1; call <= 100; call++) { // with the client's retries
            faults.inject(Fault.FAIL, call, status.withDescription("so it is"));
        }
        return faults;
    }
}
