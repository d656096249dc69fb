/**
 * The import of counters of the Firebase extension, beside the extension itself and its client. Start at {@code
 * ExtensionImportTest}.
 */
@NullMarked
package io.counterkit.firestore.extension;

import org.jspecify.annotations.NullMarked;
