package io.counterkit.datastore;

import io.counterkit.spi.Origin;

/** Names a chain of entries: that of a sequence, or that of the changes of a counter. */
record ChainName(Origin.Kind kind, String name) {
    static ChainName counter(String name) {
        return new ChainName(Origin.Kind.COUNTER, name);
    }

    static ChainName sequence(String name) {
        return new ChainName(Origin.Kind.SEQUENCE, name);
    }

    /** For messages. */
    @Override
    public String toString() {
        return (kind == Origin.Kind.COUNTER ? "counter '" : "sequence '") + name + "'";
    }
}
