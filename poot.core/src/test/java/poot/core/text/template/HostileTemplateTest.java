package poot.core.text.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.text.template.TemplateException.Failed;
import poot.core.text.template.TemplateException.Limit;
import poot.core.text.template.TemplateException.LimitExceeded;

/** A template that wants more than its share gets a typed refusal, soon, and never takes the process with it. */
class HostileTemplateTest {
    /** The longest a refusal may take, in nanoseconds. */
    private static final long SECOND = 1_000_000_000L;
    private static final int FUZZ_ROUNDS = 2_000;
    /** The default limits but for a small part of the work, so that the tests take a small part of the time. */
    private static final TemplateSettings SETTINGS = new TemplateSettings(SharedTemplates.SETTINGS.clock(),
        new TemplateLimits(1 << 20, 1 << 20, 1 << 20, TemplateLimits.DEFAULT.depth()));

    @ParameterizedTest
    @ValueSource(strings = {
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        "{% for a in range(100000) %}{{ 'x' * 1000 }}{% endfor %}",
        "{{ 'a' * 10**9 }}", "{{ [0] * 10**9 }}", "{{ '%999999999d' % 1 }}", "{{ '{:999999999}'.format(1) }}",
        "{{ '%.999999999f' % 1.5 }}", "{{ '%*d' % (10**9, 1) }}", "{{ 'a'.center(10**9) }}", "{{ 'a'.zfill(10**9) }}",
        "{{ 10**(10**9) }}", "{{ 2**(2**40) }}", "{% set n = namespace(i=3) %}{% for x in range(99) %}{% set n.i = n.i * n.i %}{% endfor %}",
        "{% set n = namespace(s='ab') %}{% for x in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}",
        "{% set n = namespace(s='ab') %}{% for x in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
        "{% set n = namespace(s='ab') %}{% for x in range(99) %}{% set n.s = n.s.replace('a', 'aa') %}{% endfor %}",
        "{% set n = namespace(s=[1]) %}{% for x in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}",
        "{% set n = namespace(s=[1]) %}{% for x in range(99) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s }}",
        "{% set n = namespace(s=[1]) %}{% for x in range(99) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s|tojson }}",
        "{% set n = namespace(s=(1,)) %}{% for x in range(99) %}{% set n.s = (n.s, n.s) %}{% endfor %}{{ {n.s: 1} }}",
        "{% set n = namespace(s=[1]) %}{% for x in range(99) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s == n.s[0] or n.s == [n.s[0], n.s[1]] }}",
        "{% set n = namespace(s=[1]) %}{% for x in range(9999) %}{% set n.s = [n.s] %}{% endfor %}{{ n.s }}",
        "{% set n = namespace(s=[1]) %}{% for x in range(9999) %}{% set n.s = [n.s] %}{% endfor %}{{ n.s|tojson }}",
        "{% set n = namespace(s=[1]) %}{% for x in range(9999) %}{% set n.s = {1: n.s} %}{% endfor %}{{ n.s|string }}",
        "{% set n = namespace(s=(1,)) %}{% for x in range(9999) %}{% set n.s = (n.s,) %}{% endfor %}{{ {n.s: 1} }}",
        "{% set n = namespace(s=[1], t=[1]) %}{% for x in range(9999) %}{% set n.s = [n.s] %}{% set n.t = [n.t] %}{% endfor %}{{ n.s == n.t }}",
        "{% set n = namespace(s=[1], t=[1]) %}{% for x in range(9999) %}{% set n.s = [n.s] %}{% set n.t = [n.t] %}{% endfor %}{{ n.s in [n.t] }}",
        "{% set n = namespace(s=[1]) %}{% for x in range(9999) %}{% set n.s = n.s|map('list') %}{% endfor %}{{ n.s|list }}",
        "{% set n = namespace() %}{% set n.n = n %}{{ n }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{{ caller }}{% endmacro %}{{ m() }}",
        "{% macro m(x) %}{{ m(x) }}{{ m(x) }}{% endmacro %}{{ m(1) }}",
        "{% macro m(d) %}{% if d %}{{ m(d - 1) }}{{ m(d - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{{ ('a' * 8000000).split('') }}", "{{ 'a'|indent(10**9) }}", "{{ [1]|tojson(indent=10**9) }}", "{{ [1]|batch(10**9, 0)|list }}",
        "{{ [1]|slice(10**9)|list }}", "{{ strftime_now('%c' * 4000000) }}", "{{ 1|round(-10**9) }}",
        "{% for x in range(100000) %}{{ ('a' * 1000000).count('b') }}{% endfor %}",
        "{% for x in range(100000) %}{{ ('a' * 1000000)[::-1]|length }}{% endfor %}",
        "{% for x in range(100000) %}{% set y = range(100000)|list|sort %}{% endfor %}",
        "{% for x in range(100000) %}{% set y = ('a ' * 100000).split() %}{% endfor %}",
        "{{ ('a' * 400000 ~ 'b') in 'a' * 900000 }}", "{{ ('a' * 900000).replace('a' * 400000 ~ 'b', '') }}",
        "{{ ('a' * 900000).split('a' * 400000 ~ 'b') }}", "{{ ('a' * 900000).count('a' * 400000 ~ 'b') }}",
        "{% set n = namespace(l=['']) %}{% for x in range(17) %}{% set n.l = n.l|map('replace', '', 'Aa', 1)|list "
            + "+ n.l|map('replace', '', 'BB', 1)|list %}{% endfor %}{{ n.l|map('list')|map('join')|unique(true)|list|length }}"
            + "{% for x in range(100000) %}{% set y = n.l|join %}{% endfor %}",
        "{% for x in range(100000) %}{{ {(x, 1): 1}|length }}{% endfor %}",
        "{% set n = namespace(l=[]) %}{% for x in range(100000) %}{% set n.l = n.l + ['a' * 500000] %}{% endfor %}",
        "{% set n = namespace(l=[]) %}{% for x in range(100000) %}{% set n.l = n.l + [range(99999)|list] %}{% endfor %}",
        "{% set n = namespace(l=[]) %}{% for x in range(100000) %}{% set n.l = [dict(n.l), x] %}{% endfor %}",
    })
    void whatWantsTooMuchIsRefusedSoon(String source) {
        TemplateException thrown = soon(source, () ->
            assertThrows(TemplateException.class, () -> ChatTemplate.compile(source, "hostile", SETTINGS).render(Map.of())));
        assertTrue(thrown.fault() instanceof LimitExceeded || thrown.fault() instanceof Failed, () -> thrown.fault().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "{1:", "not ", "-", "a(", "a[", "1 if 1 else ", "a|f("})
    void deepExpressionsAreRefused(String piece) {
        refusedOrRendered("{{ " + piece.repeat(40_000) + " }}");
    }

    @ParameterizedTest
    @ValueSource(strings = {".b", "|upper", " is none", " + 1", " < 1", " ~ 1", " or 1", "[0]", "()", " if 1 else 1"})
    void longChainsAreRefusedOrRendered(String link) {
        refusedOrRendered("{{ a" + link.repeat(40_000) + " }}");
        refusedOrRendered("{{ 'a'" + " 'b'".repeat(40_000) + link + " }}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{% if 1 %}", "{% for x in [1] %}", "{% set x %}", "{% macro m() %}", "{% call m() %}", "{% filter upper %}",
        "{% with %}", "{% generation %}", "{% if 1 %}{% elif 1 %}", "{{", "{%", "{#", "{% raw %}", "{% set (", "{% for (", "{{ '"})
    void deepBlocksAreRefused(String piece) {
        refusedOrRendered(piece.repeat(30_000));
    }

    private static void refusedOrRendered(String source) {
        soon(source, () -> outcome(source, Map.of("a", "x")));
    }

    /** The rendered text, or the fault's message. */
    private static String outcome(String source, Map<String, Object> context) {
        try {
            return ChatTemplate.compile(source, "hostile", SETTINGS).render(context);
        } catch (TemplateException refused) {
            return refused.fault().message();
        }
    }

    /** Does something that may take a second; tried again where it took more, as the machine may have been busy. */
    private static <T> T soon(String source, Supplier<T> something) {
        for (int tries = 0; true; tries++) {
            long start = System.nanoTime();
            T result = something.get();
            long took = System.nanoTime() - start;
            if (took < SECOND) {
                return result;
            }
            assertTrue(tries < 4, () -> took / 1_000_000 + " ms for " + source.substring(0, Math.min(4000, source.length())));
        }
    }

    /** The deepest nesting the limits allow fits a thread's default stack. */
    @Test
    void theDepthLimitComesBeforeTheStacksEnd() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        String macro = "{% macro m() %}{% for x in [1] %}{% if 1 %}{{ '' ~ (1 and [m()|string|upper][0] if 1) }}{% endif %}{% endfor %}"
            + "{% endmacro %}{{ m() }}";
        Thread thread = new Thread(null, () -> {
            for (String source : List.of(macro, "{{ " + "(".repeat(95) + "1" + ")".repeat(95) + " }}",
                "{{ " + "[".repeat(95) + "1" + "]".repeat(95) + "|tojson }}", "{{ 1" + " + 1".repeat(290) + " }}")) {
                try {
                    ChatTemplate.compile(source, "deep", SETTINGS).render(Map.of());
                } catch (TemplateException refused) {
                    assertInstanceOf(LimitExceeded.class, refused.fault());
                } catch (Throwable other) {
                    thrown.add(other);
                }
            }
        }, "small stack", 512 << 10);
        thread.start();
        thread.join();
        assertEquals(List.of(), thrown);
    }

    @Test
    void aContextThatContainsItselfIsRefused() throws TemplateException {
        Map<String, Object> context = new HashMap<>();
        context.put("messages", context);
        ChatTemplate template = ChatTemplate.compile("x", "t");
        TemplateException thrown = assertThrows(TemplateException.class, () -> template.render(context));
        assertEquals(Limit.DEPTH, assertInstanceOf(LimitExceeded.class, thrown.fault()).limit());
    }

    /** Real templates with pieces cut, doubled, swapped and replaced end in text or a typed refusal, each within a second. */
    @Test
    void mutatedTemplatesEndInTextOrARefusal() throws Exception {
        List<String> sources = List.copyOf(SharedTemplates.sources().values());
        List<Map<String, Object>> contexts = List.copyOf(SharedTemplates.cases().values());
        Random random = new Random(20261130);
        int rendered = 0;
        for (int round = 0; round < FUZZ_ROUNDS; round++) {
            String source = mutated(sources, random);
            Map<String, Object> context = contexts.get(random.nextInt(contexts.size()));
            int number = round;
            String outcome = soon(source, () -> {
                try {
                    return outcome(source, context);
                } catch (RuntimeException | Error other) {
                    throw new AssertionError("round " + number + " of the fuzz ended in " + other + " for:\n" + source, other);
                }
            });
            rendered += outcome.startsWith("hostile:") ? 0 : 1;
        }
        assertTrue(rendered > FUZZ_ROUNDS / 20, "some mutants still render: " + rendered);
    }

    private static final String[] PIECES = {"{{", "}}", "{%", "%}", "{#", "#}", "-", "(", ")", "[", "]", "'", "\"", "|", ".", ",", ":", "~",
        " if ", " else ", " and ", " not ", " in ", " is ", "loop", "namespace", "range(9)", "none", "9", "::-1", "**", "%", "\\", "\n", "é",
        "{% endif %}", "{% endfor %}", "{% for x in messages %}", "{% set x = 1 %}", "|tojson", "|list", "|length", "{% raw %}", "*9999"};

    private static String mutated(List<String> sources, Random random) {
        StringBuilder source = new StringBuilder(sources.get(random.nextInt(sources.size())));
        for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
            int from = random.nextInt(source.length());
            int to = Math.min(source.length(), from + random.nextInt(12));
            switch (random.nextInt(5)) {
                case 0 -> source.delete(from, to);
                case 1 -> source.insert(from, source.substring(from, to).repeat(2));
                case 2 -> source.replace(from, to, PIECES[random.nextInt(PIECES.length)]);
                case 3 -> source.insert(from, PIECES[random.nextInt(PIECES.length)]);
                default -> {
                    String other = sources.get(random.nextInt(sources.size()));
                    int at = random.nextInt(other.length());
                    source.replace(from, to, other.substring(at, Math.min(other.length(), at + random.nextInt(80))));
                }
            }
            if (source.isEmpty()) {
                source.append("{{ messages }}");
            }
        }
        return source.toString();
    }
}
