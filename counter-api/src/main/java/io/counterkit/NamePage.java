package io.counterkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of names, in an order that the store defines. The order is the same for all pages.
 *
 * @param names the names; may be fewer than the limit or none, even before the last page
 * @param next the cursor of the next page, a place in the order of the names of this store; null on the last page
 */
public record NamePage(List<String> names, @Nullable String next) {
    public NamePage {
        names = List.copyOf(names);
    }
}
