/** Counters and sequences in memory: the fake for unit tests, and the contract in its shortest form. */
module io.counterkit.inmemory {
    requires transitive io.counterkit;
    requires static com.google.guice;

    exports io.counterkit.inmemory;
    exports io.counterkit.inmemory.guice;
}
