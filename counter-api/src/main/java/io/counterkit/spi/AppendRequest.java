package io.counterkit.spi;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry to append.
 *
 * @param change what it does to its subject; {@link Change#ADDED} where there is none
 * @param subject what it is a revision of, or null
 * @param fields checked and copied: nobody changes them
 * @param token the caller's token, to be remembered for the retention; null for an entry that the commit's token
 *     covers, as number so-and-so of the requests that were sent with it
 */
public record AppendRequest(
        Change change,
        @Nullable String subject,
        Map<String, Object> fields,
        @Nullable IdempotencyToken token) {}
