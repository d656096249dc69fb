package io.counterkit.benchmarks.firestore;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Draws numbers from 0 by Zipf's law: the probability of the n-th is proportional to 1/n. */
final class Zipf {
    private final double[] upTo;

    Zipf(int numbers) {
        upTo = new double[numbers];
        double sum = 0;
        for (int i = 0; i < numbers; i++) {
            sum += 1.0 / (i + 1);
            upTo[i] = sum;
        }
    }

    int next() {
        int found = Arrays.binarySearch(upTo, ThreadLocalRandom.current().nextDouble(upTo[upTo.length - 1]));
        return found >= 0 ? found : -found - 1;
    }
}
