package io.counterkit.datastore.internal.schema;

import io.counterkit.spi.ChangeTarget;

/** Names a chain of entries: the entries of a sequence, or the changes of a counter. */
public record ChainName(ChangeTarget.Kind kind, String name) {
    public static ChainName counter(String name) {
        return new ChainName(ChangeTarget.Kind.COUNTER, name);
    }

    public static ChainName sequence(String name) {
        return new ChainName(ChangeTarget.Kind.SEQUENCE, name);
    }

    public boolean isCounter() {
        return kind == ChangeTarget.Kind.COUNTER;
    }

    /** Returns the letter of the kind in keys. */
    char letter() {
        return isCounter() ? 'C' : 'S';
    }

    /** Returns the name with its kind, for messages. */
    @Override
    public String toString() {
        return (isCounter() ? "counter '" : "sequence '") + name + "'";
    }
}
