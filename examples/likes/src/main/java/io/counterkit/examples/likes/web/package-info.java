/**
 * The page and the server behind it, on the JDK's own HTTP server. Start at
 * {@link io.counterkit.examples.likes.web.WebServer}.
 */
@NullMarked
package io.counterkit.examples.likes.web;

import org.jspecify.annotations.NullMarked;
