/**
 * The page and its server, on Jetty. Start at {@link io.counterkit.examples.likes.web.WebServer}.
 */
@NullMarked
package io.counterkit.examples.likes.web;

import org.jspecify.annotations.NullMarked;
