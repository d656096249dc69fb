/** Soaks a backend: changes many names from many threads, and then checks that each of them is exact. */
module io.counterkit.soak {
    requires transitive io.counterkit;

    exports io.counterkit.soak;
}
