package io.counterkit;

/** A listener that ignores all events. */
enum DisabledListener implements CountersListener {
    INSTANCE
}
