/**
 * A backend over tables, as an author of a SQL backend writes it, and the mistakes that are usual there. Start at
 * {@link io.counterkit.verification.tables.Mistake}, then {@link io.counterkit.verification.tables.TableBackend}.
 */
@NullMarked
package io.counterkit.verification.tables;

import org.jspecify.annotations.NullMarked;
