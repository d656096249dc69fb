package io.counterkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the names that were asked for, in an order that the store chooses and keeps.
 *
 * @param names the names of this page; may be fewer than the limit, even none, before the last page
 * @param next what to pass to get the page after this one; null when this is the last
 */
public record NamePage(List<String> names, @Nullable String next) {
    public NamePage {
        names = List.copyOf(names);
    }
}
