package io.counterkit.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A print stream in UTF-8 that keeps the reason why a write failed. */
final class StandardOutput extends PrintStream {
    private final Recorder recorder;

    StandardOutput(OutputStream out) {
        this(new Recorder(out));
    }

    private StandardOutput(Recorder recorder) {
        super(recorder, false, StandardCharsets.UTF_8);
        this.recorder = recorder;
    }

    /** Returns why a write failed; null if none failed, or if the reader closed the pipe, as {@code head} does. */
    @Nullable String problem() {
        String problem = recorder.problem;
        return problem == null || problem.toLowerCase(Locale.ROOT).contains("pipe") ? null : problem;
    }

    private static final class Recorder extends FilterOutputStream {
        private volatile @Nullable String problem;

        Recorder(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                problem = FileNames.problem(e);
                throw e;
            }
        }
    }
}
