/** Moves counters and sequences from one store to another while the application runs. */
module io.counterkit.migration {
    requires transitive io.counterkit;
    requires static com.google.guice;

    exports io.counterkit.migration;
    exports io.counterkit.migration.guice;
}
