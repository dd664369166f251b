package poot.backend.cpu.x86;

import java.util.ArrayList;
import java.util.List;

/** A place in code, perhaps one that is still to come. */
public final class Label {
    int position = -1;
    final List<Integer> uses = new ArrayList<>();

    Label() {}
}
