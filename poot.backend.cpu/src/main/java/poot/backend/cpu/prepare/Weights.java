package poot.backend.cpu.prepare;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.graph.Encoding;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Weight;

/** The resident weights, by role. */
public final class Weights {
    private final Map<Role, Weight> byRole;

    /** Weights whose bytes are owned by their store; {@code worker} is one of the threads that will read them. */
    public Weights(Map<Role, Weight> byRole, Thread worker) throws ExecutorException {
        this.byRole = Map.copyOf(byRole);
        for (Map.Entry<Role, Weight> e : this.byRole.entrySet()) {
            check(e.getKey(), e.getValue(), worker);
        }
    }

    /** The weight a constant reads. */
    Weight of(Op.Const c) throws ExecutorException {
        Weight w = byRole.get(c.role());
        if (w == null) {
            throw mismatch("weight " + c.role() + " is read by the program but was not loaded");
        }
        if (!w.shape().equals(c.type().shape()) || w.format().encoding().element() != c.type().element()) {
            throw mismatch("weight " + c.role() + " (" + w.name() + ") is " + w.format().encoding() + w.shape()
                    + " but the program reads " + c.type());
        }
        return w;
    }

    /** One-part weights must hold the rows they claim; formats of several parts check theirs when decoding. */
    private static void check(Role role, Weight w, Thread worker) throws ExecutorException {
        Encoding e = w.format().encoding();
        if (w.parts().isEmpty()) {
            throw mismatch("weight " + role + " (" + w.name() + ") has no bytes");
        }
        for (MemorySegment part : w.parts()) {
            if (!part.isAccessibleBy(worker)) {
                throw mismatch("weight " + role + " (" + w.name() + ") is mapped for one thread only; map it in a shared arena");
            }
        }
        if (w.stored().rank() == 0 || e.blockBytes() == 0 || w.parts().size() != 1) {
            return;
        }
        if (w.columns() % e.blockElements() != 0 || w.firstColumn() % e.blockElements() != 0) {
            throw mismatch("weight " + role + " (" + w.name() + ") has rows of " + w.columns() + " elements from column "
                    + w.firstColumn() + ", not whole blocks of " + e);
        }
        long rowBytes = (long) (w.columns() / e.blockElements()) * e.blockBytes();
        long rows = w.firstRow() + w.rowCount();
        long held = w.parts().getFirst().byteSize();
        if (rows < 0 || rowBytes > 0 && rows > held / rowBytes) {
            throw mismatch("weight " + role + " (" + w.name() + ") needs " + rows + " rows of " + rowBytes + " bytes of " + e
                    + " but has " + held + " bytes");
        }
    }

    static ExecutorException mismatch(String what) {
        return new ExecutorException(new Mismatch(what));
    }
}
