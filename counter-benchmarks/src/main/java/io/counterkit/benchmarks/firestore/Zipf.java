package io.counterkit.benchmarks.firestore;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Numbers from 0 on, the first ones most often: the n-th as often as 1/n. */
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
