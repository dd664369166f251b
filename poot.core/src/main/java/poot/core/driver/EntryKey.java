package poot.core.driver;

import java.util.Set;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.core.sample.Head;

/** What specialises a compiled step. Tokens, positions, seeds and sampling parameters are bound, never part of it. */
record EntryKey(ProgramName program, StepShape shape, Head head, Set<String> carried) {
    EntryKey {
        carried = Set.copyOf(carried);
    }

    @Override
    public String toString() {
        String what = switch (head) {
            case Head.Raw h -> "";
            case Head.Feed h -> " feed";
            case Head.Logits h -> " logits";
            case Head.Sample h -> !h.sorts() && !h.history() ? " greedy" : h.ordered() == 0 ? " sample" : " sample of " + h.ordered();
        };
        return program + " " + shape.rows() + "x" + shape.tokens() + what + (carried.isEmpty() ? "" : " with " + carried);
    }
}
