package poot.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The refusals of a page, each said once: those that lack the same are one. */
final class Notes {
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<String> texts = new ArrayList<>();

    /** The cell of one thing. */
    String cell(Column column, String what, Verdict verdict) {
        return verdict.runs() ? "runs" : "refused: " + verdict.lacks() + " " + mark(column, what, verdict);
    }

    private String mark(Column column, String what, Verdict verdict) {
        int number = numbers.computeIfAbsent(verdict.lacks(), k -> {
            texts.add(column + ", " + what + ": " + verdict.message());
            return texts.size();
        });
        return "[" + number + "](#refusals)";
    }

    /** All of them, numbered. */
    String text() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < texts.size(); i++) {
            out.append(i + 1).append(". ").append(texts.get(i).replace("|", "\\|")).append('\n');
        }
        return out.isEmpty() ? "None.\n" : out.toString();
    }
}
