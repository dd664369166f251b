package poot.core.text.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.core.text.template.TemplateException.Failed;
import poot.core.text.template.TemplateException.PythonError;
import poot.core.text.template.TemplateException.Raised;
import poot.core.text.template.TemplateException.TemplateFault;
import poot.core.text.template.TemplateException.UndefinedUse;
import poot.core.text.template.TemplateException.Unsafe;

/** Every public template renders every case as jinja2 does, byte for byte, and refuses what jinja2 refuses. */
class TemplateIdentityTest {
    @Test
    @SuppressWarnings("unchecked")
    void everyPairIsIdentical() throws IOException {
        Map<String, Object> expected = SharedTemplates.json(SharedTemplates.shared("templates/expected.json"));
        Map<String, Map<String, Object>> cases = SharedTemplates.cases();
        Map<String, String> sources = SharedTemplates.sources();
        int pairs = 0;
        List<String> differing = new ArrayList<>();
        for (var template : expected.entrySet()) {
            for (var pair : ((Map<String, Map<String, String>>) template.getValue()).entrySet()) {
                pairs++;
                String difference = difference(sources.get(template.getKey()), template.getKey(),
                    cases.get(pair.getKey()), pair.getValue());
                if (difference != null) {
                    differing.add(template.getKey() + " " + pair.getKey() + ": " + difference);
                }
            }
        }
        assertEquals(expected.size() * cases.size(), pairs, "every template has every case");
        assertTrue(differing.isEmpty(), (pairs - differing.size()) + " of " + pairs + " identical; these differ:\n"
            + String.join("\n", differing));
    }

    /** What is wrong with a pair, or null. */
    private static String difference(String source, String name, Map<String, Object> context, Map<String, String> expected) {
        String text;
        try {
            text = ChatTemplate.compile(source, name, SharedTemplates.SETTINGS).render(context);
        } catch (TemplateException e) {
            return expected.containsKey("text") ? e.fault().message() : refusal(e.fault(), expected);
        }
        if (!expected.containsKey("text")) {
            return "rendered, where jinja2 raises " + expected;
        }
        String wanted = expected.get("text");
        int at = 0;
        while (at < Math.min(text.length(), wanted.length()) && text.charAt(at) == wanted.charAt(at)) {
            at++;
        }
        return text.equals(wanted) ? null : "at " + at + " got <" + text.substring(at, Math.min(text.length(), at + 60))
            + ">, expected <" + wanted.substring(at, Math.min(wanted.length(), at + 60)) + ">";
    }

    /** The kind of error and its text must both be jinja2's. */
    private static String refusal(TemplateFault fault, Map<String, String> expected) {
        String got = switch (fault) {
            case Raised raised -> "TemplateError: " + raised.reason();
            case UndefinedUse use -> "UndefinedError: " + use.what();
            case Unsafe unsafe -> "SecurityError: " + unsafe.what();
            case Failed failed -> (failed.error() == PythonError.TYPE ? "TypeError: "
                : failed.error() == PythonError.RUNTIME ? "TemplateRuntimeError: " : failed.error() + ": ") + failed.problem();
            default -> fault.message();
        };
        String wanted = expected.get("error") + ": " + expected.get("message");
        return got.equals(wanted) ? null : "refused with <" + got + ">, expected <" + wanted + ">";
    }

    @Test
    @SuppressWarnings("unchecked")
    void theDemoModelsPromptsAreItsGoldenOnes() throws Exception {
        Path model = SharedTemplates.shared("models/poot-tiny");
        Map<String, Object> config = SharedTemplates.json(model.resolve("tokenizer_config.json"));
        ChatTemplate template = ChatTemplate.compile((String) config.get("chat_template"), "poot-tiny");
        int chats = 0;
        for (var golden : (List<Map<String, Object>>) SharedTemplates.json(model.resolve("golden.json")).get("cases")) {
            if (golden.get("messages") != null) {
                chats++;
                Map<String, Object> context = new HashMap<>(golden);
                context.put("add_generation_prompt", true);
                assertEquals(golden.get("prompt"), template.render(context), (String) golden.get("name"));
            }
        }
        assertTrue(chats > 0, "the golden file has chats");
    }

    @Test
    void everyGoldenModelsTemplateCompiles() throws Exception {
        int templates = 0;
        try (DirectoryStream<Path> models = Files.newDirectoryStream(SharedTemplates.shared("golden"))) {
            for (Path model : models) {
                Path config = model.resolve("tokenizer_config.json");
                if (Files.exists(config) && SharedTemplates.json(config).get("chat_template") instanceof String source) {
                    templates++;
                    String text = ChatTemplate.compile(source, model.getFileName().toString(), SharedTemplates.SETTINGS)
                        .render(SharedTemplates.cases().get("simple"));
                    assertTrue(text.contains("Hello, how are you?"), () -> model + " rendered " + text);
                }
            }
        }
        System.Logger log = System.getLogger(TemplateIdentityTest.class.getName());
        log.log(System.Logger.Level.INFO, "{0} golden templates", templates);
    }
}
