package io.counterkit.cli.backend;

/**
 * What the user has to know of a store before it is used.
 *
 * @param text one line
 */
public record Notice(String text) {}
