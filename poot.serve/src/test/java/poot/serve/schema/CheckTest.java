package poot.serve.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.serve.fault.ApiException;
import poot.serve.fault.ErrorAnswer;
import poot.serve.json.JsonText;
import tools.jackson.databind.JsonNode;

class CheckTest {
    private static final Shape INNER = Shape.of("Inner", Field.required("a", Kind.whole(0, 9), "a digit"));
    private static final Shape SHAPE = Shape.of("Outer",
            Field.required("name", Kind.name(3), "short"),
            Field.optional("list", Kind.list(Kind.object(INNER), 0, 2), "digits"),
            Field.optional("either", Kind.either(Kind.text(), Kind.list(Kind.text(), 1, 2)), "texts"),
            Field.optional("map", new Kind.MapOf(Kind.number(-1, 1), 2), "numbers"),
            Field.optional("tagged", new Kind.Tagged("kind", Map.of("inner", INNER.with(Field.required("kind", Kind.oneOf("inner"), "inner")))), "one of"),
            Field.noEffect("idle", Kind.flag(), "nothing"),
            Field.onlyWhen("only", Kind.flag(), List.of("false"), "never true"),
            Field.refused("never", "not here"));

    private static void refused(String code, String param, String json) {
        ErrorAnswer e = ErrorAnswer.of(assertThrows(ApiException.class, () -> Check.body(JsonText.own(json), SHAPE)).fault());
        assertEquals(400, e.status());
        assertEquals(code + " " + param, e.code() + " " + e.param().orElse(""), e.message());
    }

    @Test
    void whatConformsIsRead() throws Exception {
        Body b = Check.body(JsonText.own("{\"name\":\"abc\",\"list\":[{\"a\":1}],\"either\":[\"x\"],\"map\":{\"k\":0.5},\"idle\":true,\"only\":false,"
                + "\"never\":null,\"tagged\":{\"kind\":\"inner\",\"a\":2}}"), SHAPE);
        assertEquals("abc", b.text("name").orElseThrow());
        assertEquals(1, b.objects("list").get(0).whole("a").orElseThrow());
        assertEquals(List.of("x"), b.texts("either"));
        assertEquals(Map.of("kind", "inner", "a", 2L), b.object("tagged").orElseThrow().plain());
    }

    @Test
    void whatDoesNotIsNamed() {
        refused("missing_required_parameter", "name", "{}");
        refused("invalid_type", "", "[]");
        refused("invalid_type", "name", "{\"name\":null}");
        refused("invalid_value", "name", "{\"name\":\"abcd\"}");
        refused("unknown_parameter", "nome", "{\"name\":\"a\",\"nome\":1}");
        refused("invalid_value", "list[1].a", "{\"name\":\"a\",\"list\":[{\"a\":1},{\"a\":10}]}");
        refused("unknown_parameter", "list[0].b", "{\"name\":\"a\",\"list\":[{\"a\":1,\"b\":2}]}");
        refused("invalid_value", "list", "{\"name\":\"a\",\"list\":[{\"a\":1},{\"a\":1},{\"a\":1}]}");
        refused("invalid_type", "either", "{\"name\":\"a\",\"either\":5}");
        refused("invalid_type", "either[1]", "{\"name\":\"a\",\"either\":[\"b\",5]}");
        refused("invalid_value", "map.k", "{\"name\":\"a\",\"map\":{\"k\":2}}");
        refused("missing_required_parameter", "tagged.kind", "{\"name\":\"a\",\"tagged\":{\"a\":1}}");
        refused("invalid_value", "tagged.kind", "{\"name\":\"a\",\"tagged\":{\"kind\":\"other\"}}");
        refused("unsupported_parameter", "only", "{\"name\":\"a\",\"only\":true}");
        refused("unsupported_parameter", "never", "{\"name\":\"a\",\"never\":1}");
        refused("invalid_value", "name", "{\"name\":\"\\ud800\"}");
    }

    @Test
    void theSameDeclarationDescribes() {
        JsonSchema schema = new JsonSchema();
        assertEquals("#/components/schemas/Outer", schema.reference(SHAPE).get("$ref").stringValue());
        JsonNode outer = schema.components().get("Outer");
        assertEquals("[\"name\"]", outer.get("required").toString());
        assertTrue(outer.get("properties").has("map") && !outer.get("properties").has("never"));
        assertTrue(schema.components().has("Inner"));
        assertTrue(FieldTable.of(SHAPE).contains("| `never` |  | refused | not here |"), FieldTable.of(SHAPE));
    }
}
