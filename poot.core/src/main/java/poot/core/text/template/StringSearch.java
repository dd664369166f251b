package poot.core.text.template;

import java.util.List;
import poot.core.text.template.Arguments.Bound;

/** The methods of {@code str} that look for a text within it, or within a part given by start and end. */
final class StringSearch {
    private StringSearch() { }

    /** The part of the text that the optional start and end arguments leave, and where it begins, in chars. */
    private record Part(String text, int from) { }

    private static Part part(Run run, Value.Str self, Bound bound) throws TemplateException {
        run.work(self.text().length());
        if (!bound.given(1) && !bound.given(2)) {
            return new Part(self.text(), 0);
        }
        int length = self.text().codePointCount(0, self.text().length());
        int start = bound.given(1) ? bound.integer(1, 0) : 0;
        int end = bound.given(2) ? bound.integer(2, length) : length;
        start = start < 0 ? Math.max(0, start + length) : start;
        end = Math.min(length, end < 0 ? Math.max(0, end + length) : end);
        if (start > end) {
            return null;
        }
        int from = self.text().offsetByCodePoints(0, start);
        return new Part(self.text().substring(from, self.text().offsetByCodePoints(from, end - start)), from);
    }

    /** {@code startswith} or {@code endswith}: a text, or a tuple of texts any of which will do. */
    static Value affix(Run run, Value.Str self, Arguments arguments, String name) throws TemplateException {
        Bound bound = arguments.bindUnnamed(run, name, 1, "prefix", "start", "end");
        List<Value> choices = bound.get(0) instanceof Value.Sequence sequence && !sequence.isList() ? sequence.items()
            : List.of(bound.get(0));
        Part part = part(run, self, bound);
        for (Value choice : choices) {
            if (!(choice instanceof Value.Str affix)) {
                throw run.type(name + " first arg must be str or a tuple of str, not " + Names.type(choice));
            }
            if (part != null && (name.equals("startswith") ? part.text.startsWith(affix.text()) : part.text.endsWith(affix.text()))) {
                return Value.Bool.TRUE;
            }
        }
        return Value.Bool.FALSE;
    }

    /** {@code find}, {@code rfind}, {@code index} or {@code rindex}. */
    static Value find(Run run, Value.Str self, Arguments arguments, String name) throws TemplateException {
        Bound bound = arguments.bindUnnamed(run, name, 1, "sub", "start", "end");
        String sub = bound.text(0);
        run.search(self.text().length(), sub.length());
        Part part = part(run, self, bound);
        int at = part == null ? -1 : name.startsWith("r") ? part.text.lastIndexOf(sub) : part.text.indexOf(sub);
        if (at < 0 && name.endsWith("index")) {
            throw run.value("substring not found");
        }
        return Value.of(at < 0 ? -1 : self.text().codePointCount(0, part.from + at));
    }

    /** {@code count}: occurrences that do not overlap. */
    static Value count(Run run, Value.Str self, Arguments arguments) throws TemplateException {
        Bound bound = arguments.bindUnnamed(run, "count", 1, "sub", "start", "end");
        String sub = bound.text(0);
        run.search(self.text().length(), sub.length());
        Part part = part(run, self, bound);
        if (part == null) {
            return Value.of(0);
        }
        if (sub.isEmpty()) {
            return Value.of(part.text.codePointCount(0, part.text.length()) + 1);
        }
        int count = 0;
        for (int at = part.text.indexOf(sub); at >= 0; at = part.text.indexOf(sub, at + sub.length())) {
            count++;
        }
        return Value.of(count);
    }
}
