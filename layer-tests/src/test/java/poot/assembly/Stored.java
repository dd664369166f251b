package poot.assembly;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.core.quant.QuantFormats;

/** Weights stored in another way: of the right sizes, with bytes that mean nothing. */
final class Stored {
    private Stored() {}

    /** Weights in F32 with every matrix in the encoding it is given, if its rows are whole blocks of it. */
    static SortedMap<Role, Weight> as(SortedMap<Role, Weight> weights, Function<Weight, Encoding> encodings) {
        SortedMap<Role, Weight> out = new TreeMap<>(weights);
        out.replaceAll((role, w) -> w.stored().rank() < 2 ? w : as(w, encodings.apply(w)));
        return out;
    }

    private static Weight as(Weight w, Encoding e) {
        if (w.columns() % e.blockElements() != 0) {
            return w;
        }
        long bytes = w.stored().count() / e.blockElements() * e.blockBytes();
        return new Weight(w.name(), QuantFormats.of(e), w.stored(), List.of(w.parts().getFirst().asSlice(0, bytes)), w.firstRow(),
                w.firstColumn(), w.shape());
    }
}
