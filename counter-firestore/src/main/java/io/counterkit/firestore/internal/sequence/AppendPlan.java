package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.UpdateBuilder;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.AppendRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The numbers that requests get after a tail of the sequence, and the requests that do not fit their subjects.
 *
 * @param places the requests that get a number, ascending
 * @param refusals the other requests, by index
 * @param subjects whether each changed subject is live afterwards
 * @param known the subjects that have a document
 */
public record AppendPlan(
        List<Place> places,
        Map<Integer, ChangeRefusedException> refusals,
        Map<String, Boolean> subjects,
        Set<String> known) {
    /** The number of the request {@code index}, and the live count after its entry. */
    record Place(int index, AppendRequest request, long number, long liveCount) {}

    /**
     * Checks each request against the state after the requests before it.
     *
     * @param indexes the requests to append
     * @param live whether each known subject is live at the tail
     */
    public static AppendPlan of(
            String sequence,
            Tail tail,
            List<AppendRequest> requests,
            List<Integer> indexes,
            Map<String, Boolean> live) {
        AppendPlan plan =
                new AppendPlan(new ArrayList<>(), new HashMap<>(), new TreeMap<>(), Set.copyOf(live.keySet()));
        long number = tail.last();
        long liveCount = tail.liveCount();
        for (int index : indexes) {
            AppendRequest request = requests.get(index);
            String subject = request.subject();
            if (subject != null) {
                boolean isLive = plan.subjects.getOrDefault(subject, live.getOrDefault(subject, false));
                ChangeRefusedException refusal = request.refusal(sequence, isLive);
                if (refusal != null) {
                    plan.refusals.put(index, refusal);
                    continue;
                }
                plan.subjects.put(subject, request.leavesSubjectLive());
            }
            liveCount += request.change().delta();
            plan.places.add(new Place(index, request, ++number, liveCount));
        }
        return plan;
    }

    /** Returns the tail of the sequence after the appends. There must be at least one. */
    public Tail tail() {
        Place last = places.get(places.size() - 1);
        return new Tail(last.number(), last.liveCount(), null);
    }

    /**
     * Writes the entries and their subjects, and with the first entry the document of the sequence. A subject that was
     * unknown is created, not set: an import, which takes no number, may have stored it since it was read.
     */
    public void writeTo(UpdateBuilder<?> builder, FirestoreSchema schema, String sequence) {
        if (places.get(0).number() == 1) {
            builder.set(schema.sequence(sequence), Map.of(), SetOptions.merge());
        }
        for (Place place : places) {
            builder.create(
                    schema.entry(sequence, place.number()),
                    EntryDocument.of(place.number(), place.request(), place.liveCount()));
        }
        subjects.forEach((subject, live) -> {
            DocumentReference document = schema.subject(sequence, subject);
            Map<String, Object> fields = Map.of(FirestoreSchema.LIVE, live);
            if (known.contains(subject)) {
                builder.set(document, fields);
            } else {
                builder.create(document, fields);
            }
        });
    }

    /** Returns the number of each request that gets one, by index. */
    Map<Integer, Long> numbers() {
        return places.stream().collect(Collectors.toMap(Place::index, Place::number));
    }
}
