package poot.core.kernel.decode;

import poot.api.graph.Scales;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/** The scales of a weight that lie in a part of their own: rectangles of rows and columns, row by row. */
record ScaleParts(StoredMatrix stored) {
    Scales scales() {
        return stored.scales().orElseThrow();
    }

    /** Rectangles along a row. */
    int across() {
        return scales().columns() == Scales.ALL ? 1 : Math.ceilDiv(stored.columns(), scales().columns());
    }

    /** Which rectangle along a row holds the column {@code unit * elements + of}. */
    Reg group(KernelBuilder b, Reg unit, int elements, int of) {
        int columns = scales().columns();
        if (columns == Scales.ALL) {
            return b.u32(0);
        }
        return of == 0 && columns % elements == 0 ? b.div(unit, columns / elements) : b.div(b.add(b.mul(unit, elements), of), columns);
    }

    /** The scale {@code index} of its part. */
    Reg load(KernelBuilder b, Reg part, Reg index) {
        return b.load(Floats.memory(scales().element()), part, index);
    }

    /** Which matrix a row is of. */
    Reg matrix(KernelBuilder b, Reg row) {
        return stored.matrices() == 1 ? b.u32(0) : b.div(row, stored.rows());
    }

    /** Where the row lies in its matrix. */
    Reg inner(KernelBuilder b, Reg row) {
        return stored.matrices() == 1 ? row : b.rem(row, stored.rows());
    }
}
