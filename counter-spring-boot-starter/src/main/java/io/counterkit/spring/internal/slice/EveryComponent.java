package io.counterkit.spring.internal.slice;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Excludes every component that the application's scan finds. */
final class EveryComponent extends TypeExcludeFilter {
    @Override
    public boolean match(MetadataReader type, MetadataReaderFactory types) {
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EveryComponent;
    }

    @Override
    public int hashCode() {
        return EveryComponent.class.hashCode();
    }
}
