/**
 * The notifications of PostgreSQL, which wake watches and followers. Start at {@link
 * io.counterkit.jdbc.internal.notification.NotificationListener}.
 */
@NullMarked
package io.counterkit.jdbc.internal.notification;

import org.jspecify.annotations.NullMarked;
