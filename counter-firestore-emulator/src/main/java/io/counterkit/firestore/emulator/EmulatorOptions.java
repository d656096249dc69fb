package io.counterkit.firestore.emulator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How an emulator is started. Immutable and thread-safe; the builder is neither.
 *
 * @param heap the largest heap of the emulator's JVM
 * @param databaseMode the kind of database
 * @param rules the file of security rules; null for none
 * @param patience how long a start may take
 * @param image the image for Docker
 * @param jvmOptions further options of the emulator's JVM
 */
public record EmulatorOptions(
        String heap,
        DatabaseMode databaseMode,
        @Nullable Path rules,
        Duration patience,
        String image,
        List<String> jvmOptions) {
    private static final Pattern HEAP = Pattern.compile("[1-9][0-9]*[kmgKMG]");
    private static final EmulatorOptions DEFAULTS = builder().build();

    /** Returns the defaults that the builder states. */
    public static EmulatorOptions defaults() {
        return DEFAULTS;
    }

    /** Creates a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects options. Each method checks its value. */
    public static final class Builder {
        private String heap = "2g";
        private DatabaseMode databaseMode = DatabaseMode.FIRESTORE_NATIVE;
        private @Nullable Path rules;
        private Duration patience = Duration.ofSeconds(60);
        private String image = "gcr.io/google.com/cloudsdktool/google-cloud-cli:emulators";

        private List<String> jvmOptions = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

        private Builder() {}

        /**
         * Sets the largest heap of the emulator's JVM, as after {@code -Xmx}: digits and k, m or g. Default 2g, enough
         * for some million writes: the emulator keeps every old version of a document until it ends.
         */
        public Builder heap(String heap) {
            if (!HEAP.matcher(heap).matches()) {
                throw new IllegalArgumentException("heap \"" + heap + "\": use digits and k, m or g, such as 512m");
            }
            this.heap = heap;
            return this;
        }

        /** Sets the kind of database. Default {@link DatabaseMode#FIRESTORE_NATIVE}. */
        public Builder databaseMode(DatabaseMode databaseMode) {
            this.databaseMode = Objects.requireNonNull(databaseMode, "databaseMode");
            return this;
        }

        /**
         * Sets a file of security rules for mobile and web clients. Server clients, such as those of {@link
         * FirestoreEmulator#connect}, are exempt. By default every request is allowed.
         */
        public Builder rules(Path rules) {
            if (!Files.isRegularFile(rules)) {
                throw new IllegalArgumentException("rules " + rules.toAbsolutePath() + ": no such file");
            }
            this.rules = rules;
            return this;
        }

        /** Sets how long a start may take, more than zero. Default 60 seconds; it usually takes four. */
        public Builder patience(Duration patience) {
            if (patience.isZero() || patience.isNegative()) {
                throw new IllegalArgumentException(
                        "patience " + TimeUnit.MILLISECONDS.convert(patience) + " ms: use more than zero");
            }
            this.patience = patience;
            return this;
        }

        /**
         * Sets the image that Testcontainers starts if there is no Google Cloud SDK. Default the newest version of
         * Google's image with emulators; name a version for reproducible builds.
         */
        public Builder image(String image) {
            this.image = Objects.requireNonNull(image, "image");
            return this;
        }

        /**
         * Sets the further options of the emulator's JVM. The default suits tests: the first compiler alone and the
         * serial collector, which start quickly and leave the processor to the tests. Give none to let a long run reach
         * full speed.
         */
        public Builder jvmOptions(String... jvmOptions) {
            this.jvmOptions = List.of(jvmOptions);
            return this;
        }

        /** Creates the options. */
        public EmulatorOptions build() {
            return new EmulatorOptions(heap, databaseMode, rules, patience, image, jvmOptions);
        }
    }
}
