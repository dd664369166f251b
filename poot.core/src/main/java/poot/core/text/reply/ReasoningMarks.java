package poot.core.text.reply;

import java.util.List;
import java.util.Optional;

/** The marks around a model's reasoning. */
record ReasoningMarks(String open, String close) {
    /** What models are known to write; none begins with another. */
    static final List<ReasoningMarks> KNOWN = List.of(
            new ReasoningMarks("<think>", "</think>"),
            new ReasoningMarks("[THINK]", "[/THINK]"),
            new ReasoningMarks("<thought>", "</thought>"),
            new ReasoningMarks("<reasoning>", "</reasoning>"),
            new ReasoningMarks("<seed:think>", "</seed:think>"),
            new ReasoningMarks("<|START_THINKING|>", "<|END_THINKING|>"),
            new ReasoningMarks("<|inner_prefix|>", "<|inner_suffix|>"),
            new ReasoningMarks("<|channel>thought", "<channel|>"),
            new ReasoningMarks("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"));

    /** The one a prompt ends with, so that the reply begins inside. */
    static Optional<ReasoningMarks> openAt(String prompt) {
        String end = prompt.stripTrailing();
        return KNOWN.stream().filter(r -> end.endsWith(r.open())).findFirst();
    }
}
