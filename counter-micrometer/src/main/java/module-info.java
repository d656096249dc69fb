/** Records the events of CounterKit in Micrometer's meters. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has a stable module name, but no descriptor
module io.counterkit.micrometer {
    requires transitive io.counterkit;
    requires transitive micrometer.core;

    exports io.counterkit.micrometer;
}
