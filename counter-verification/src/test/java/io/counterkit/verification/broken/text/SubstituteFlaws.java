package io.counterkit.verification.broken.text;

import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Renamed;
import java.util.List;

/** Chapter 9, continued: characters that replace others, and escapes that a name may contain as well. */
public final class SubstituteFlaws {
    private SubstituteFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                TextFlaws.names("stores dots in names as full-width ones", text -> text.replace('.', '\uff0e')),
                TextFlaws.names("stores slashes in names as division signs", text -> text.replace('/', '\u2215')),
                TextFlaws.names(
                        "treats typographic quotes in names as plain ones", text -> text.replace('\u2019', '\'')),
                TextFlaws.names("escapes letters in names by their codes", text -> text.replace("A", "_x0041_")),
                TextFlaws.names("drops the prefix of encoded names", text -> text.replace("xn--", "")),
                alone("escapes the name of one dot by a percent sign, which it does not escape", ".", "%2E"),
                alone("escapes the name of two dots by a percent sign, which it does not escape", "..", "%2E%2E"),
                alone("escapes reserved names by a percent sign, which it does not escape", "__x__", "%5F_x__"),
                alone("escapes the name of one dot by a tilde, which it does not escape", ".", "~."),
                CharacterFlaws.fieldNames(
                        "stores dollar signs in field names as full-width ones", text -> text.replace('$', '\uff04')),
                CharacterFlaws.fieldNames(
                        "stores dots in field names as full-width ones", text -> text.replace('.', '\uff0e')));
    }

    private static Flaw alone(String does, String reserved, String escaped) {
        return Flaw.that(does, "9.5")
                .backend(right -> Renamed.of(right, name -> name.equals(reserved) ? escaped : name));
    }
}
