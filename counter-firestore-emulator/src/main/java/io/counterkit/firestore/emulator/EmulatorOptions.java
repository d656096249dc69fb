package io.counterkit.firestore.emulator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How an emulator is started. Immutable and thread-safe; the builder is neither. */
public final class EmulatorOptions {
    private static final Pattern HEAP = Pattern.compile("[1-9][0-9]*[kmgKMG]");
    private static final EmulatorOptions DEFAULTS = builder().build();

    private final String heap;
    private final DatabaseMode databaseMode;
    private final @Nullable Path rules;
    private final Duration patience;
    private final String image;

    private EmulatorOptions(Builder builder) {
        heap = builder.heap;
        databaseMode = builder.databaseMode;
        rules = builder.rules;
        patience = builder.patience;
        image = builder.image;
    }

    /** Every option as its builder method states it. */
    public static EmulatorOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The largest heap of the emulator's JVM. */
    public String heap() {
        return heap;
    }

    /** The kind of database. */
    public DatabaseMode databaseMode() {
        return databaseMode;
    }

    /** The file of security rules, or null for none. */
    public @Nullable Path rules() {
        return rules;
    }

    /** How long a start may take. */
    public Duration patience() {
        return patience;
    }

    /** The image for Docker. */
    public String image() {
        return image;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private String heap = "1g";
        private DatabaseMode databaseMode = DatabaseMode.FIRESTORE_NATIVE;
        private @Nullable Path rules;
        private Duration patience = Duration.ofSeconds(60);
        private String image = "gcr.io/google.com/cloudsdktool/google-cloud-cli:emulators";

        private Builder() {}

        /**
         * The largest heap of the emulator's JVM, as after {@code -Xmx}: digits and k, m or g. Default 1g, which is enough
         * for some million writes: the emulator keeps every old version of a document until it ends.
         */
        public Builder heap(String heap) {
            if (!HEAP.matcher(heap).matches()) {
                throw new IllegalArgumentException("heap \"" + heap + "\": use digits and k, m or g, such as 512m");
            }
            this.heap = heap;
            return this;
        }

        /** The kind of database. Default {@link DatabaseMode#FIRESTORE_NATIVE}. */
        public Builder databaseMode(DatabaseMode databaseMode) {
            this.databaseMode = Objects.requireNonNull(databaseMode, "databaseMode");
            return this;
        }

        /**
         * A file of security rules. They concern requests of mobile and web clients; server clients, such as those of
         * {@link FirestoreEmulator#connect}, pass them by. Default none: everybody may do everything.
         */
        public Builder rules(Path rules) {
            if (!Files.isRegularFile(rules)) {
                throw new IllegalArgumentException("rules " + rules.toAbsolutePath() + ": no such file");
            }
            this.rules = rules;
            return this;
        }

        /** How long the emulator may take until it answers, more than zero. Default 60 seconds; it usually takes two. */
        public Builder patience(Duration patience) {
            if (patience.isZero() || patience.isNegative()) {
                throw new IllegalArgumentException("patience " + patience + ": use more than zero");
            }
            this.patience = patience;
            return this;
        }

        /**
         * The image that Testcontainers starts where there is no Google Cloud SDK. Default Google's own image with the
         * emulators, in its newest version; name a version for builds that are to be repeatable.
         */
        public Builder image(String image) {
            this.image = Objects.requireNonNull(image, "image");
            return this;
        }

        /** The options as they are now. */
        public EmulatorOptions build() {
            return new EmulatorOptions(this);
        }
    }
}
