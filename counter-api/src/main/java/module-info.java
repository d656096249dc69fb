/** The API of CounterKit: durable, exact counters and gapless sequences, and the SPI that a backend implements. */
module io.counterkit {
    requires transitive org.jspecify;

    exports io.counterkit;
    exports io.counterkit.spi;
    exports io.counterkit.spi.forward;
}
