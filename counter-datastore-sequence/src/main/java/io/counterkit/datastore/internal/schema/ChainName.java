package io.counterkit.datastore.internal.schema;

import io.counterkit.spi.ChangeTarget;

/** Names a chain of entries: that of a sequence, or that of the changes of a counter. */
public record ChainName(ChangeTarget.Kind kind, String name) {
    public static ChainName counter(String name) {
        return new ChainName(ChangeTarget.Kind.COUNTER, name);
    }

    public static ChainName sequence(String name) {
        return new ChainName(ChangeTarget.Kind.SEQUENCE, name);
    }

    /** For messages. */
    @Override
    public String toString() {
        return (kind == ChangeTarget.Kind.COUNTER ? "counter '" : "sequence '") + name + "'";
    }
}
