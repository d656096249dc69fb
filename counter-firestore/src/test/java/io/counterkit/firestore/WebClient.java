package io.counterkit.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;

/** A client without server rights, over REST, like a web page of a user who may be signed in. */
final class WebClient {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String root;
    private final String documents;
    private final String authorization;

    private WebClient(FirestoreEmulator emulator, String project, String authorization) {
        this.root = "http://" + emulator.hostAndPort() + "/v1/";
        this.documents = "projects/" + project + "/databases/(default)/documents";
        this.authorization = authorization;
    }

    static WebClient signedOut(FirestoreEmulator emulator, String project) {
        return new WebClient(emulator, project, "");
    }

    /** Returns an unsigned token, which the emulator accepts. */
    static WebClient signedIn(FirestoreEmulator emulator, String project, String user) {
        String payload = String.format(
                "{\"iss\":\"https://securetoken.google.com/%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"user_id\":\"%s\","
                        + "\"auth_time\":0,\"iat\":0,\"exp\":4102444800,"
                        + "\"firebase\":{\"identities\":{},\"sign_in_provider\":\"custom\"}}",
                project, project, user, user);
        return new WebClient(
                emulator,
                project,
                "Bearer " + base64("{\"alg\":\"none\",\"typ\":\"JWT\"}") + "." + base64(payload) + ".");
    }

    /** Sends a write as the commit of a batch, and returns the status. */
    int write(String... writes) {
        return post(":commit", "{\"writes\":[" + String.join(",", writes) + "]}");
    }

    /** Returns the write of a whole document in the form of the REST API, whose name is only a path. */
    String create(String document) {
        return "{\"update\":" + document.replaceFirst("\"name\":\"", "$0" + documents + "/") + "}";
    }

    /** Returns the write of {@code update(field, increment(delta))}, or with {@code merge} of {@code set(…, merge)}. */
    String increment(String path, String field, String delta, boolean merge) {
        return String.format(
                "{\"update\":{\"name\":\"%s/%s\",\"fields\":{}},\"updateMask\":{\"fieldPaths\":[]}%s,"
                        + "\"updateTransforms\":[{\"fieldPath\":\"%s\",\"increment\":%s}]}",
                documents, path, merge ? "" : ",\"currentDocument\":{\"exists\":true}", field, delta);
    }

    /** Returns the masked write of one field; {@code exists} may be empty. */
    String set(String path, String field, String value, String exists) {
        return String.format(
                "{\"update\":{\"name\":\"%s/%s\",\"fields\":{%s}},\"updateMask\":{\"fieldPaths\":[\"%s\"]}%s}",
                documents,
                path,
                value.isEmpty() ? "" : "\"" + field + "\":" + value,
                field,
                exists.isEmpty() ? "" : ",\"currentDocument\":{\"exists\":" + exists + "}");
    }

    /** Returns a write that increments {@code count} and sets another field. */
    String incrementAndSet(String path, String other) {
        return String.format(
                "{\"update\":{\"name\":\"%s/%s\",\"fields\":{\"%s\":{\"integerValue\":\"1\"}}},"
                        + "\"updateMask\":{\"fieldPaths\":[\"%s\"]},\"updateTransforms\":"
                        + "[{\"fieldPath\":\"count\",\"increment\":{\"integerValue\":\"1\"}}]}",
                documents, path, other, other);
    }

    String delete(String path) {
        return "{\"delete\":\"" + documents + "/" + path + "\"}";
    }

    int get(String path) {
        return send(HttpRequest.newBuilder(URI.create(root + documents + "/" + path))
                .GET());
    }

    int list(String parent, String collection) {
        return post(
                parent + ":runQuery", "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"" + collection + "\"}]}}");
    }

    int sum(String parent, String collection, String field) {
        return post(
                parent + ":runAggregationQuery",
                String.format(
                        "{\"structuredAggregationQuery\":{\"aggregations\":[{\"sum\":{\"field\":{\"fieldPath\":\"%s\"}}}],"
                                + "\"structuredQuery\":{\"from\":[{\"collectionId\":\"%s\"}]}}}",
                        field, collection));
    }

    private int post(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(root + documents + path))
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private int send(HttpRequest.Builder request) {
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }
}
