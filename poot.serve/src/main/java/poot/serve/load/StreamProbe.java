package poot.serve.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One stream: asks for a completion and notes when each piece of it arrives. */
final class StreamProbe {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String DATA = "data:";

    private final HttpClient client;
    private final LoadTarget target;
    private final String model;
    private final LoadPlan.Request asked;

    /** Asks {@code model} of a server. */
    StreamProbe(HttpClient client, LoadTarget target, String model, LoadPlan.Request asked) {
        this.client = client;
        this.target = target;
        this.model = model;
        this.asked = asked;
    }

    /**
     * A stream that ended.
     *
     * @param tokens  generated, as the server counts them
     * @param first   seconds from the request to the first piece
     * @param gaps    seconds between one piece and the next
     * @param seconds from the request to the end
     * @param failure what went wrong, or an empty text
     */
    record Outcome(int tokens, double first, List<Double> gaps, double seconds, String failure) {
        Outcome {
            gaps = List.copyOf(gaps);
        }

        boolean failed() {
            return !failure.isEmpty();
        }
    }

    Outcome run(int[] prompt) throws InterruptedException {
        long start = System.nanoTime();
        try {
            HttpResponse<InputStream> response = client.send(request(prompt), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    return failed(start, "status " + response.statusCode() + ": " + new String(body.readNBytes(400), StandardCharsets.UTF_8));
                }
                return read(start, body);
            }
        } catch (IOException | JacksonException e) {
            return failed(start, e.toString());
        }
    }

    private HttpRequest request(int[] prompt) {
        String body = JSON.writeValueAsString(Map.of("model", model, "prompt", prompt, "max_tokens", asked.output(),
                "temperature", 0, "stream", true, "stream_options", Map.of("include_usage", true)));
        return HttpRequest.newBuilder(target.at("/v1/completions")).header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(asked.seconds())).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    private Outcome read(long start, InputStream body) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        List<Double> gaps = new ArrayList<>();
        double first = 0;
        long last = 0;
        int tokens = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.startsWith(DATA) || line.endsWith("[DONE]")) {
                continue;
            }
            JsonNode event = JSON.readTree(line.substring(DATA.length()));
            if (event.has("error")) {
                return failed(start, event.get("error").toString());
            }
            if (event.path("usage").has("completion_tokens")) {
                tokens = event.path("usage").path("completion_tokens").asInt();
            }
            if (!event.path("choices").path(0).path("text").asString("").isEmpty()) {
                long now = System.nanoTime();
                if (last == 0) {
                    first = (now - start) / 1e9;
                } else {
                    gaps.add((now - last) / 1e9);
                }
                last = now;
            }
        }
        return tokens > 0 ? new Outcome(tokens, first, gaps, seconds(start), "") : failed(start, "the stream ended without its usage");
    }

    private static Outcome failed(long start, String failure) {
        return new Outcome(0, 0, List.of(), seconds(start), failure);
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
