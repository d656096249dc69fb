package io.counterkit.verification.broken;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All flaws. */
final class Flaws {
    private Flaws() {}

    /** In the order of the chapters. */
    static List<Flaw> all() {
        return Stream.of(
                        NameFlaws.all(),
                        AddFlaws.all(),
                        ReadFlaws.all(),
                        TokenFlaws.all(),
                        OutcomeFlaws.all(),
                        ResetFlaws.all(),
                        SequenceFlaws.all(),
                        EntryFlaws.all(),
                        SealFlaws.all(),
                        LifecycleFlaws.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Those and the backends that have none. */
    static Map<String, Flaw> byWhatTheyDo() {
        Map<String, Flaw> flaws = new LinkedHashMap<>();
        Stream.concat(all().stream(), SealFlaws.none().stream()).forEach(flaw -> flaws.put(flaw.does(), flaw));
        return flaws;
    }
}
