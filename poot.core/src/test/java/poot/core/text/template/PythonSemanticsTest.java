package poot.core.text.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.core.text.template.TemplateException.Failed;
import poot.core.text.template.TemplateException.PythonError;
import poot.core.text.template.TemplateException.Raised;
import poot.core.text.template.TemplateException.Syntax;
import poot.core.text.template.TemplateException.TemplateFault;
import poot.core.text.template.TemplateException.UndefinedUse;
import poot.core.text.template.TemplateException.Unsafe;
import poot.core.text.template.TemplateException.Unsupported;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** Small templates, each on one point of the language, against what jinja2 and Python made of them. */
class PythonSemanticsTest {
    private record Suite(String about, Map<String, Object> context, List<Map<String, String>> cases) { }

    @Test
    void everySnippetRendersOrFailsAsInPython() throws Exception {
        Suite suite;
        try (InputStream in = PythonSemanticsTest.class.getResourceAsStream("python-semantics.json")) {
            suite = new ObjectMapper().readValue(in, new TypeReference<Suite>() { });
        }
        List<String> differing = new ArrayList<>();
        for (Map<String, String> snippet : suite.cases) {
            String difference = difference(snippet, suite.context);
            if (difference != null) {
                differing.add(snippet.get("source") + "\n    " + difference);
            }
        }
        assertTrue(suite.cases.size() > 1000, "the suite is whole");
        assertTrue(differing.isEmpty(), differing.size() + " of " + suite.cases.size() + " differ:\n" + String.join("\n", differing));
    }

    private static String difference(Map<String, String> snippet, Map<String, Object> context) {
        try {
            String text = ChatTemplate.compile(snippet.get("source"), "snippet", SharedTemplates.SETTINGS).render(context);
            return text.equals(snippet.get("text")) ? null : "got <" + text + ">, expected " + snippet;
        } catch (TemplateException e) {
            boolean matches = snippet.containsKey("error") && matches(e.fault(), snippet.get("error"), snippet.get("message"));
            return matches ? null : "got " + e.fault() + ", expected " + snippet;
        }
    }

    private static boolean matches(TemplateFault fault, String error, String message) {
        return switch (fault) {
            case UndefinedUse use -> error.equals("UndefinedError") && use.what().equals(message);
            case Unsafe unsafe -> error.equals("SecurityError") && unsafe.what().equals(message);
            case Raised raised -> error.equals("TemplateError") && raised.reason().equals(message);
            case Syntax _ -> Set.of("TemplateSyntaxError", "TemplateAssertionError", "SyntaxError").contains(error);
            case Unsupported _ -> Set.of("TypeError", "TemplateSyntaxError").contains(error);
            case Failed failed -> error.equals(switch (failed.error()) {
                case TYPE -> "TypeError";
                case VALUE -> "ValueError";
                case KEY -> "KeyError";
                case INDEX -> "IndexError";
                case OVERFLOW -> "OverflowError";
                case ZERO_DIVISION -> "ZeroDivisionError";
                case ASSERTION -> "AssertionError";
                case FILTER_ARGUMENT -> "FilterArgumentError";
                case RUNTIME -> "TemplateRuntimeError";
            }) || failed.error() == PythonError.VALUE && error.equals("TypeError");
            default -> false;
        };
    }

    @Test
    void aFaultNamesTheTemplateAndTheLine() {
        TemplateFault fault = fault("a\n{% if 1 %}\n{{ nothing.at_all }}\n{% endif %}", Map.of());
        assertEquals(new UndefinedUse("t", 3, "'nothing' is undefined"), fault);
        assertEquals("t:3: 'nothing' is undefined", fault.message());
        assertEquals(new Syntax("t", 2, "unknown tag 'nope'"), fault("x\n{% nope %}", Map.of()));
        assertEquals(new Raised("t", 1, "no"), fault("{{ raise_exception('no') }}", Map.of()));
    }

    @Test
    void aContextValueOfAnotherTypeIsNamedByItsPath() {
        TemplateFault fault = fault("x", Map.of("messages", List.of(Map.of("content", new StringBuilder()))));
        assertEquals(new TemplateException.BadContext("t", "messages[0].content", "java.lang.StringBuilder"), fault);
    }

    private static TemplateFault fault(String source, Map<String, Object> context) {
        TemplateException thrown = org.junit.jupiter.api.Assertions.assertThrows(TemplateException.class,
            () -> ChatTemplate.compile(source, "t", SharedTemplates.SETTINGS).render(context));
        return thrown.fault();
    }
}
