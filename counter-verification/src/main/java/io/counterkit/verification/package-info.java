/** Nothing here: this module only holds tests that need several other modules at once. */
package io.counterkit.verification;
