/** Moves counters and sequences from one store to another while the application runs. */
module io.counterkit.migration {
    requires transitive io.counterkit;
    requires static com.google.guice;
    requires static jakarta.inject; // part of the types of Guice

    exports io.counterkit.migration;
    exports io.counterkit.migration.guice;
}
