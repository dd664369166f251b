package poot.serve.web;

import java.util.List;
import poot.serve.json.JsonText;
import poot.serve.schema.Field;
import poot.serve.schema.JsonSchema;
import poot.serve.schema.Kind;
import poot.serve.schema.Shape;
import tools.jackson.databind.node.ObjectNode;

/** The routes as an OpenAPI 3.1 document, made from the declarations that requests are held against. */
final class OpenApi {
    private static final Shape ERROR = Shape.of("Error",
            Field.required("message", Kind.text(), "for a person"),
            Field.required("type", Kind.text(), "the kind of error"),
            Field.optional("param", Kind.text(), "the field at fault"),
            Field.required("code", Kind.text(), "what exactly, for programs"));
    private static final Shape ERROR_BODY = Shape.of("ErrorBody", Field.required("error", Kind.object(ERROR), "what is wrong"));

    private OpenApi() {}

    /** The document; {@code own} is the path it is at. */
    static ObjectNode of(List<Route> routes, String own) {
        JsonSchema schema = new JsonSchema();
        ObjectNode out = JsonText.object().put("openapi", "3.1.0");
        out.putObject("info").put("title", "poot").put("version", "1")
                .put("description", "One language model behind the HTTP interface of OpenAI. This document is at " + own + ".");
        ObjectNode paths = out.putObject("paths");
        for (Route r : routes) {
            ObjectNode path = paths.has(r.path()) ? (ObjectNode) paths.get(r.path()) : paths.putObject(r.path());
            describe(r, path.putObject(r.method().toLowerCase(java.util.Locale.ROOT)), schema);
        }
        ObjectNode components = out.putObject("components");
        components.set("schemas", schema.components());
        components.putObject("securitySchemes").putObject("key").put("type", "http").put("scheme", "bearer");
        return out;
    }

    private static void describe(Route r, ObjectNode operation, JsonSchema schema) {
        operation.put("summary", r.summary());
        if (!r.open()) {
            operation.putArray("security").addObject().putArray("key");
        }
        if (r.path().contains("{id}")) {
            operation.putArray("parameters").addObject().put("name", "id").put("in", "path").put("required", true)
                    .putObject("schema").put("type", "string");
        }
        r.body().ifPresent(b -> operation.putObject("requestBody").put("required", true).putObject("content")
                .putObject("application/json").set("schema", schema.reference(b)));
        ObjectNode responses = operation.putObject("responses");
        responses.putObject("200").put("description", "done");
        responses.putObject("default").put("description", "refused or failed").putObject("content").putObject("application/json")
                .set("schema", schema.reference(ERROR_BODY));
    }
}
