package io.counterkit.tck.internal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Long series of random changes, which reach states that no short one reaches. */
final class RandomSteps {
    private static final int SHORTEST = 3;

    /** The bound of the length before a seal. */
    private static final int LONGEST = 14;

    /** The bound of the number of changes after a seal, besides the last one. */
    private static final int LONGEST_AFTER_SEAL = 4;

    private RandomSteps() {}

    /**
     * Returns random changes, the last of which has the token of the name, or uses a fast path. Half of the series
     * begin with an import, which is not possible later. Half of them contain a seal near the end, since a seal refuses
     * most changes.
     */
    static List<Step> walk(List<Step> steps, Random random) {
        List<Step> walk = new ArrayList<>();
        List<Step> imports = Step.inRole(Step.Role.IMPORT, steps);
        if (!imports.isEmpty() && random.nextBoolean()) {
            walk.add(any(imports, random));
        }
        int length = random.nextInt(SHORTEST, LONGEST);
        List<Step> open =
                steps.stream().filter(step -> step.role() != Step.Role.SEAL).toList();
        while (walk.size() < length) {
            walk.add(any(open, random));
        }
        List<Step> seals = Step.inRole(Step.Role.SEAL, steps);
        if (!seals.isEmpty() && random.nextBoolean()) {
            walk.add(any(seals, random));
            for (int more = random.nextInt(LONGEST_AFTER_SEAL); more > 0; more--) {
                walk.add(any(steps, random));
            }
        }
        walk.add(any(Step.inRole(Step.Role.DEPENDENT, steps), random));
        return walk;
    }

    private static Step any(List<Step> steps, Random random) {
        return steps.get(random.nextInt(steps.size()));
    }
}
