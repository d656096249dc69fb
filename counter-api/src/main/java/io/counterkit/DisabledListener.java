package io.counterkit;

/** The null object of the listener seam. */
enum DisabledListener implements CountersListener {
    INSTANCE
}
