package poot.core.text.reply;

import java.util.List;
import java.util.Objects;

/**
 * What one request lets its reply be read as.
 *
 * @param tools     only a call of one of these is a call; anything else stays text
 * @param calls     false: marks of calls are text like any other
 * @param reasoning true: reasoning is told apart; false: it is text, marks included
 * @param prompt    the prompt as rendered, whose end tells whether the reply begins inside reasoning; empty where there
 *                  was no chat template
 */
public record ReplyOptions(List<OfferedTool> tools, boolean calls, boolean reasoning, String prompt) {
    public ReplyOptions {
        tools = List.copyOf(tools);
        Objects.requireNonNull(prompt);
    }

    /** Whether any call can be made. */
    boolean reads() {
        return calls && !tools.isEmpty();
    }
}
