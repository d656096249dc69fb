package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.UpdateBuilder;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.AppendRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which number each of some requests gets after a certain end of the sequence, and which do not fit their subjects.
 *
 * @param places those that get one, ascending
 * @param refusals the others, by index
 * @param subjects whether each subject that changes is live afterwards
 */
public record AppendPlan(
        List<Place> places, Map<Integer, ChangeRefusedException> refusals, Map<String, Boolean> subjects) {
    /** The number that request {@code index} gets, and the live count right after it. */
    record Place(int index, long number, long liveCount) {}

    /**
     * Judges each request after those before it.
     *
     * @param indexes which of the requests
     * @param live the subjects that are live at that end
     */
    public static AppendPlan of(
            String sequence,
            Tail tail,
            List<AppendRequest> requests,
            List<Integer> indexes,
            Map<String, Boolean> live) {
        AppendPlan plan = new AppendPlan(new ArrayList<>(), new HashMap<>(), new TreeMap<>());
        long number = tail.last();
        long liveCount = tail.liveCount();
        for (int index : indexes) {
            AppendRequest request = requests.get(index);
            String subject = request.subject();
            if (subject != null) {
                boolean isLive = plan.subjects.getOrDefault(subject, live.getOrDefault(subject, false));
                if (isLive == (request.change() == Change.ADDED)) {
                    plan.refusals.put(
                            index,
                            new ChangeRefusedException(request.change().noun() + " of '" + subject + "' in '" + sequence
                                    + "', which is " + (isLive ? "live already" : "not live")));
                    continue;
                }
                plan.subjects.put(subject, request.change() != Change.REMOVED);
            }
            liveCount += request.change().delta();
            plan.places.add(new Place(index, ++number, liveCount));
        }
        return plan;
    }

    /** The end of the sequence once this is carried out; there is at least one place. */
    public Tail tail() {
        Place last = places.get(places.size() - 1);
        return new Tail(last.number(), last.liveCount(), null);
    }

    /** Writes the entries and what their subjects are then, and the sequence's own document with its first entry. */
    public void writeTo(
            UpdateBuilder<?> builder, FirestoreSchema schema, String sequence, List<AppendRequest> requests) {
        if (places.get(0).number() == 1) {
            builder.set(schema.sequence(sequence), Map.of(), SetOptions.merge());
        }
        for (Place place : places) {
            builder.create(
                    schema.entry(sequence, place.number()),
                    EntryDocument.of(place.number(), requests.get(place.index()), place.liveCount()));
        }
        subjects.forEach(
                (subject, live) -> builder.set(schema.subject(sequence, subject), Map.of(FirestoreSchema.LIVE, live)));
    }

    /** The number of each of {@code count} requests, 0 for those without one. */
    List<Long> numbers(int count) {
        Long[] numbers = new Long[count];
        Arrays.fill(numbers, 0L);
        places.forEach(place -> numbers[place.index()] = place.number());
        return List.of(numbers);
    }
}
