package poot.core.text.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import poot.api.model.TextCodec;

/**
 * What a chat template takes and writes.
 *
 * @param parts        whether content must be a list of parts
 * @param system       whether there is a role {@code system}
 * @param developer    whether the role {@code developer} means something of its own, beside {@code system} too
 * @param toolVariable the variable tools are read from; none where they are not
 * @param calls        how an assistant's calls are given; none where they are not written, or always refused
 * @param declaration  what is written where tools are offered
 * @param call         what is written for an assistant's call, and after it
 * @param rendered     all that was rendered
 */
public record ChatTraits(boolean parts, boolean system, boolean developer, Optional<String> toolVariable,
        Optional<CallTraits> calls, Optional<String> declaration, Optional<String> call, List<String> rendered) {
    private static final List<String> TOOL_VARIABLES = List.of("tools", "xml_tools");
    private static final String LONG_ID = "call_zz00000001";
    private static final String SHORT_ID = "zz0000001";
    private static final String OTHER_ROLE = "narrator";
    private static final String DEVELOPER = "developer";

    /**
     * How an assistant's calls are given to a template.
     *
     * @param text     arguments as JSON text; else as a mapping
     * @param blank   content beside calls as an empty text; else as null
     * @param shortIds only ids of nine letters and digits are taken
     * @param several  whether a turn may have several
     */
    public record CallTraits(boolean text, boolean blank, boolean shortIds, boolean several) {}

    public ChatTraits {
        Objects.requireNonNull(toolVariable);
        Objects.requireNonNull(calls);
        rendered = List.copyOf(rendered);
    }

    /** The traits of a checkpoint's template; without one, those of a template that takes everything as it is. */
    public static ChatTraits of(TextCodec codec) {
        if (!codec.hasChatTemplate()) {
            return new ChatTraits(false, true, true, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                    List.of());
        }
        Probe probe = new Probe(codec);
        boolean parts = !probe.shows(Probe.USER, Probe.USER, "user") && probe.shows(Probe.USER, Probe.parts(Probe.USER), "user");
        boolean system = probe.shows(Probe.SYSTEM, content(Probe.SYSTEM, parts), "system");
        boolean developer = developer(probe, parts);
        List<Map<String, Object>> ask = List.of(Probe.turn("user", content(Probe.USER, parts)));
        Optional<String> variable = Optional.empty();
        Optional<String> declaration = Optional.empty();
        for (String v : TOOL_VARIABLES) {
            Optional<String> shown = probe.render(ask, true, Map.of(v, Probe.tools())).filter(t -> t.contains(Probe.FIRST));
            if (variable.isEmpty() && shown.isPresent()) {
                variable = Optional.of(v);
                declaration = shown;
            }
        }
        Map<String, Object> offered = variable.map(v -> Map.<String, Object>of(v, Probe.tools())).orElse(Map.of());
        Optional<CallTraits> calls = calls(probe, parts, offered);
        Optional<String> call = calls.flatMap(c -> called(probe, parts, offered, c, Probe.FIRST))
                .map(t -> t.substring(t.lastIndexOf(Probe.USER) + Probe.USER.length()));
        List<String> rendered = new ArrayList<>();
        Stream.of(probe.render(ask, true, Map.of()), probe.render(ask, true, Map.of("enable_thinking", true, "thinking", true)),
                probe.reasoned(), declaration, call).flatMap(Optional::stream).forEach(rendered::add);
        return new ChatTraits(parts, system, developer, variable, calls, declaration, call, rendered);
    }

    /** Whether the template writes a call as a bare object with {@code parameters}. */
    public boolean callIsBare() {
        return call.filter(t -> t.contains("{\"name\": \"" + Probe.FIRST + "\", \"parameters\":")).isPresent();
    }

    /** Whether a developer's turn is shown, after a system's too, and not just as any role's would be. */
    private static boolean developer(Probe probe, boolean parts) {
        Object rule = content(Probe.SYSTEM, parts);
        Map<String, Object> user = Probe.turn("user", content(Probe.USER, parts));
        Optional<String> own = probe.render(List.of(Probe.turn(DEVELOPER, rule), user), true, Map.of());
        Optional<String> any = probe.render(List.of(Probe.turn(OTHER_ROLE, rule), user), true, Map.of());
        Optional<String> both = probe.render(List.of(Probe.turn("system", content(Probe.FIRST, parts)),
                Probe.turn(DEVELOPER, rule), user), true, Map.of());
        return own.filter(t -> t.contains(Probe.SYSTEM)).isPresent()
                && both.filter(t -> t.contains(Probe.FIRST) && t.contains(Probe.SYSTEM)).isPresent()
                && !own.equals(any.map(t -> t.replace(OTHER_ROLE, DEVELOPER)));
    }

    private static Optional<CallTraits> calls(Probe probe, boolean parts, Map<String, Object> offered) {
        for (boolean shortIds : new boolean[] {false, true}) {
            for (boolean blank : new boolean[] {true, false}) {
                for (boolean text : new boolean[] {false, true}) {
                    CallTraits one = new CallTraits(text, blank, shortIds, false);
                    if (called(probe, parts, offered, one, Probe.FIRST).isPresent()) {
                        CallTraits both = new CallTraits(text, blank, shortIds, true);
                        return Optional.of(called(probe, parts, offered, both, Probe.FIRST, Probe.SECOND).isPresent() ? both : one);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** The text of calls and one's result, if it shows names and arguments, and these not quoted once more. */
    private static Optional<String> called(Probe probe, boolean parts, Map<String, Object> offered, CallTraits traits,
            String... names) {
        Map<String, Object> assistant = Probe.turn("assistant", traits.blank() ? content("", parts) : null);
        List<Map<String, Object>> calls = new ArrayList<>();
        List<Map<String, Object>> messages = new ArrayList<>();
        messages.add(Probe.turn("user", content(Probe.USER, parts)));
        messages.add(assistant);
        for (String name : names) {
            String id = (traits.shortIds() ? SHORT_ID : LONG_ID).replace("zz", "z" + name.charAt(2));
            calls.add(Probe.call(name, id, traits.text()));
            Map<String, Object> result = Probe.turn("tool", content("{}", parts));
            result.put("tool_call_id", id);
            result.put("name", name);
            messages.add(result);
        }
        assistant.put("tool_calls", calls);
        return probe.render(messages, false, new HashMap<>(offered)).filter(t -> {
            String after = t.substring(t.lastIndexOf(Probe.USER) + 1);
            boolean shown = after.contains(Probe.KEY) && after.split(Probe.VALUE, -1).length > names.length
                    && !after.contains("\\\"" + Probe.KEY) && !after.contains("'" + Probe.KEY);
            return shown && Stream.of(names).allMatch(after::contains);
        });
    }

    static Object content(String text, boolean parts) {
        return parts ? Probe.parts(text) : text;
    }
}
