package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import poot.api.model.CheckpointException;

/** Reads the "post_processor" of a tokenizer.json; all but its special tokens concerns offsets, which do not exist here. */
final class JsonTemplates {
    private final int idLimit;
    private Template template;

    private JsonTemplates(int idLimit) {
        this.idLimit = idLimit;
    }

    /** The template a node describes, its ids below {@code idLimit}. */
    static Template read(FaultSite site, String key, Object node, int idLimit) throws CheckpointException {
        JsonTemplates reader = new JsonTemplates(idLimit);
        if (node != null) {
            reader.read(JsonPart.of(site, key, node), 0);
        }
        return reader.template == null ? Template.bare() : reader.template;
    }

    private void read(JsonPart part, int depth) throws CheckpointException {
        String type = part.type();
        switch (type) {
            case "Sequence" -> {
                part.only("processors");
                if (depth == JsonPart.MAX_DEPTH) {
                    throw part.unsupported("nesting deeper than " + depth);
                }
                for (JsonPart child : part.children("processors")) {
                    read(child, depth + 1);
                }
            }
            case "ByteLevel" -> part.only("add_prefix_space", "trim_offsets", "use_regex");
            case "TemplateProcessing" -> {
                part.only("single", "pair", "special_tokens");
                List<Template.Part> single = parts(part, "single");
                for (Template.Part p : single) {
                    if (p instanceof Template.Text text && text.second()) {
                        throw part.malformed("single", "names a second text");
                    }
                }
                set(part, new Template(single, parts(part, "pair")));
            }
            case "BertProcessing" -> {
                part.only("sep", "cls");
                int[] cls = mark(part, "cls");
                int[] sep = mark(part, "sep");
                set(part, new Template(around(cls, sep), List.of(new Template.Special(cls, 0), new Template.Text(false, 0),
                        new Template.Special(sep, 0), new Template.Text(true, 1), new Template.Special(sep, 1))));
            }
            case "RobertaProcessing" -> {
                part.only("sep", "cls", "trim_offsets", "add_prefix_space");
                int[] cls = mark(part, "cls");
                int[] sep = mark(part, "sep");
                set(part, new Template(around(cls, sep), List.of(new Template.Special(cls, 0), new Template.Text(false, 0),
                        new Template.Special(new int[] {sep[0], sep[0]}, 0), new Template.Text(true, 0),
                        new Template.Special(sep, 0))));
            }
            default -> throw part.unsupported("post-processor " + FaultSite.quoted(type));
        }
    }

    private static List<Template.Part> around(int[] cls, int[] sep) {
        return List.of(new Template.Special(cls, 0), new Template.Text(false, 0), new Template.Special(sep, 0));
    }

    private void set(JsonPart part, Template found) throws CheckpointException {
        if (template != null) {
            throw part.unsupported("a second post-processor that adds tokens");
        }
        template = found;
    }

    private int[] mark(JsonPart part, String name) throws CheckpointException {
        if (!(part.node().get(name) instanceof List<?> pair) || pair.size() != 2) {
            throw part.malformed(name, "expected a token and its id");
        }
        return new int[] {JsonPart.integer(part.site(), part.at(name) + "[1]", pair.get(1), idLimit - 1)};
    }

    private List<Template.Part> parts(JsonPart part, String name) throws CheckpointException {
        List<Template.Part> out = new ArrayList<>();
        for (JsonPart item : part.children(name)) {
            item.only("SpecialToken", "Sequence");
            if (item.has("Sequence")) {
                JsonPart text = item.child("Sequence");
                String which = text.text("id");
                if (!which.equals("A") && !which.equals("B")) {
                    throw text.malformed("id", "expected A or B");
                }
                out.add(new Template.Text(which.equals("B"), text.integer("type_id", Integer.MAX_VALUE)));
            } else {
                JsonPart special = item.child("SpecialToken");
                JsonPart token = part.child("special_tokens").child(special.text("id"));
                out.add(new Template.Special(ids(token), special.integer("type_id", Integer.MAX_VALUE)));
            }
        }
        return List.copyOf(out);
    }

    private int[] ids(JsonPart token) throws CheckpointException {
        if (!(token.node().get("ids") instanceof List<?> list) || list.size() > JsonPart.MAX_MEMBERS) {
            throw token.malformed("ids", "expected a short list of ids");
        }
        int[] out = new int[list.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = JsonPart.integer(token.site(), token.at("ids") + "[" + i + "]", list.get(i), idLimit - 1);
        }
        return out;
    }
}
