package poot.serve.openai;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.model.ModelSchema;
import poot.api.model.TextCodec;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.schema.Body;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /v1/rerank}: the score s of each document, and 1 / (1 + e^-s) as its relevance, the best first. */
public final class RerankCalls implements Call {
    private final Served served;

    /** Orders documents. */
    public RerankCalls(Served served) {
        this.served = served;
    }

    private record Scored(int index, float score) {}

    @Override
    public Answer answer(Body body, Client client) throws ApiException, InterruptedException {
        served.requireModel(body);
        served.requireEncoding(ModelSchema.SCORE, "scores");
        String query = body.text("query").orElseThrow();
        List<String> documents = new ArrayList<>();
        for (JsonNode d : body.node("documents").orElseThrow()) {
            documents.add(d.isString() ? d.stringValue() : d.get("text").stringValue());
        }
        List<EncodeRow> rows = documents.stream().map(d -> pair(served.text().encodePair(query, d))).toList();
        List<Scored> scored = scores(Encodings.of(served, rows, "documents", client));
        scored.sort(Comparator.comparingDouble(Scored::score).reversed().thenComparingInt(Scored::index));
        long tokens = rows.stream().mapToLong(r -> r.ids().length).sum();
        return new Answer.Whole(object(body, documents, scored, tokens));
    }

    private ObjectNode object(Body body, List<String> documents, List<Scored> scored, long tokens) {
        Identity identity = Identity.of("rerank-", served.id());
        ObjectNode out = identity.object("list");
        ArrayNode results = out.putArray("results");
        boolean texts = body.flag("return_documents", false);
        long most = body.whole("top_n").orElse(Integer.MAX_VALUE);
        scored.stream().limit(most).forEach(s -> {
            ObjectNode item = results.addObject().put("index", s.index()).put("relevance_score", 1 / (1 + Math.exp(-s.score())))
                    .put("score", s.score());
            if (texts) {
                item.putObject("document").put("text", documents.get(s.index()));
            }
        });
        out.putObject("usage").put("prompt_tokens", tokens).put("total_tokens", tokens);
        return out;
    }

    private EncodeRow pair(TextCodec.Pair pair) {
        EncodeRow row = EncodeRow.of(pair.ids());
        return served.readsSegments()
                ? row.withInputs(new RequestInputs(Map.of(ModelSchema.SEGMENTS, InputValue.dense(InputValue.words(pair.segments()))))) : row;
    }

    private static List<Scored> scores(List<EncodeResult> results) throws ApiException {
        List<Scored> out = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            switch (results.get(i)) {
                case EncodeResult.Score s -> out.add(new Scored(i, s.score()));
                case EncodeResult.Embedding _ -> throw new ApiException(new ApiFault.Internal("the model gave an embedding, not a score"));
                case EncodeResult.Failed f -> throw new ApiException(new ApiFault.Failed(f.fault()));
            }
        }
        return out;
    }
}
