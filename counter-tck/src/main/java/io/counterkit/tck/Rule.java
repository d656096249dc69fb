package io.counterkit.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the test of a rule in {@code SPEC.md}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
    /** Returns the number of the rule, such as {@code "5.2"}. */
    String value();

    /** Returns where the author of a backend should look first when the test fails. */
    String lookAt();
}
