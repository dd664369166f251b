package poot.serve.schema;

import java.util.Map;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Declarations as JSON Schema, the dialect of OpenAPI 3.1. Refused fields are left out; each shape is a component. */
public final class JsonSchema {
    private final ObjectNode components = JsonText.object();

    /** A reference to a shape, which becomes a component. */
    public ObjectNode reference(Shape shape) {
        if (!components.has(shape.name())) {
            components.putObject(shape.name());
            components.set(shape.name(), describe(shape));
        }
        return JsonText.object().put("$ref", "#/components/schemas/" + shape.name());
    }

    /** Every shape referred to so far. */
    public ObjectNode components() {
        return components;
    }

    private ObjectNode describe(Shape shape) {
        ObjectNode out = JsonText.object().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = out.putObject("properties");
        ArrayNode required = JsonText.array();
        for (Field f : shape.fields()) {
            if (f.stance() instanceof Stance.Refused) {
                continue;
            }
            properties.set(f.name(), field(f));
            if (f.required()) {
                required.add(f.name());
            }
        }
        if (!required.isEmpty()) {
            out.set("required", required);
        }
        return out;
    }

    private ObjectNode field(Field f) {
        ObjectNode out = kind(f.kind());
        out.put("description", f.text());
        if (f.stance() instanceof Stance.OnlyWhen o) {
            ArrayNode values = out.putArray("enum");
            o.values().forEach(v -> values.add(JsonText.own(v)));
        }
        if (!(f.stance() instanceof Stance.Honoured)) {
            out.put("x-stance", f.stance().word());
        }
        return out;
    }

    private ObjectNode kind(Kind kind) {
        ObjectNode out = JsonText.object();
        switch (kind) {
            case Kind.Text t -> {
                out.put("type", "string");
                if (t.longest() < Integer.MAX_VALUE) {
                    out.put("maxLength", t.longest());
                }
                if (!t.values().isEmpty()) {
                    ArrayNode values = out.putArray("enum");
                    t.values().forEach(values::add);
                }
            }
            case Kind.Whole w -> out.put("type", "integer").put("minimum", w.least()).put("maximum", w.most());
            case Kind.Number n -> out.put("type", "number").put("minimum", n.least()).put("maximum", n.most());
            case Kind.Flag _ -> out.put("type", "boolean");
            case Kind.ListOf l -> {
                out.put("type", "array").put("minItems", l.least()).put("maxItems", l.most());
                out.set("items", kind(l.item()));
            }
            case Kind.MapOf m -> {
                out.put("type", "object").put("maxProperties", m.most());
                out.set("additionalProperties", kind(m.value()));
            }
            case Kind.Object o -> out = reference(o.shape().get());
            case Kind.Tagged t -> {
                ArrayNode of = out.putArray("oneOf");
                ObjectNode mapping = out.putObject("discriminator").put("propertyName", t.tag()).putObject("mapping");
                for (Map.Entry<String, Shape> e : t.shapes().entrySet()) {
                    ObjectNode reference = reference(e.getValue());
                    mapping.put(e.getKey(), reference.get("$ref").stringValue());
                    of.add(reference);
                }
            }
            case Kind.Either e -> {
                ArrayNode of = out.putArray("anyOf");
                e.kinds().forEach(k -> of.add(kind(k)));
            }
            case Kind.AnyObject _ -> out.put("type", "object");
            case Kind.Any _ -> { }
        }
        return out;
    }
}
