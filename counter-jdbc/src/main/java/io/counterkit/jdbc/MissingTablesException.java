package io.counterkit.jdbc;

/** Thrown if the tables do not exist, when a backend is created that does not create them itself. */
public final class MissingTablesException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message that names the tables and how to create them. */
    public MissingTablesException(String message) {
        super(message);
    }
}
