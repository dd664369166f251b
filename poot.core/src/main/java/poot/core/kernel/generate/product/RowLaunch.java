package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/**
 * The kernel of products of few rows: some workgroups for each part.
 *
 * <p>With experts a result row i has a matrix of each weight to itself, {@code indices[i]}; zeros where there is none such.
 *
 * <p>Parameters: x; rows U32, with experts those of the result; the norm's weight, where there is one; for each part the
 * sources of its weights, with experts indices I32 [rows], and the epilogue's.
 *
 * @param left element type of x: a float
 * @param experts how many rows of the result, one behind the other, are of one row of x; parts are one, of one token
 * @param several whether there may be more rows than a workgroup is for
 */
record RowLaunch(ElementType left, Optional<Normed> norm, OptionalInt experts, boolean several, List<RowProduct> parts) {
    RowLaunch {
        parts = List.copyOf(parts);
    }

    /** Rows of x that a workgroup is for. */
    int tokens() {
        return parts.getFirst().tokens();
    }

    private int workgroup(DeviceLimits limits) {
        return parts.stream().mapToInt(p -> RowProduct.workgroup(p.weights(), limits)).max().orElseThrow();
    }

    /** The grid for so many workgroups of rows of x; of one row with experts. */
    Grid grid(DeviceLimits limits, int times) {
        int groups = parts.stream().mapToInt(p -> p.groups(workgroup(limits), limits)).sum();
        return new Flat((long) groups * times).workgroupGrid(limits);
    }

    /** Bytes of shared memory that the kernel takes. */
    int sharedBytes(DeviceLimits limits) {
        int workgroup = workgroup(limits);
        int lanes = limits.subgroup();
        int squares = norm.isPresent() ? RowNorm.floats(workgroup / lanes, tokens()) : 0;
        return bytes(staged(workgroup, lanes)) + bytes(joined(workgroup / lanes, lanes)) + bytes(squares);
    }

    private static int bytes(int floats) {
        return floats == 0 ? 0 : new SharedArray("floats", MemoryType.F32, floats).bytes();
    }

    private int staged(int workgroup, int lanes) {
        return most(p -> p.staged() ? RowSums.staging(p.weights(), p.tokens(), workgroup, lanes) : 0);
    }

    private int joined(int subgroups, int lanes) {
        return most(p -> RowFinish.parts(p, subgroups, lanes));
    }

    /** Parts run in workgroups of their own, so that room for one is room for all. */
    private int most(ToIntFunction<RowProduct> floats) {
        return parts.stream().mapToInt(floats).max().orElseThrow();
    }

    /** A part whose parameters are declared. */
    private record Declared(RowProduct product, WeightOperands operands, Epilogue.Bound end) {}

    DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("row_product", workgroup(limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg rows = b.scalar("rows", ScalarType.U32);
        int tokens = tokens();
        int columns = parts.getFirst().weights().getFirst().columns();
        Optional<RowNorm> normalising = norm.map(n -> RowNorm.declare(b, n, left, columns, tokens));
        List<Declared> all = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            RowProduct p = parts.get(i);
            WeightOperands operands = WeightOperands.declare(b, left, p.weights(), x, rows, parts.size() > 1 ? "part" + i + "_" : "");
            Optional<Reg> indices = experts.isPresent() ? Optional.of(b.buffer("indices", Access.READ)) : Optional.empty();
            all.add(new Declared(p, operands, p.epilogue().declare(b, parts.size() > 1 ? "part" + i + "_" : "")));
            if (indices.isPresent()) {
                write(b, setting(b, rows, normalising), all, Flat.workgroup(b), expert(b, p, indices.get()), limits);
                return b.build();
            }
        }
        Reg group = Flat.workgroup(b);
        Reg times = several ? b.div(b.add(rows, tokens - 1), tokens) : b.u32(1);
        Reg first = several ? b.mul(b.rem(group, times), tokens) : b.u32(0);
        RowProduct.Place place = new RowProduct.Place(first, first, b.u32(0), b.bool(true));
        write(b, setting(b, rows, normalising), all, several ? b.div(group, times) : group, place, limits);
        return b.build();
    }

    private RowSetting setting(KernelBuilder b, Reg rows, Optional<RowNorm> normalising) {
        return new RowSetting(b, rows, room(b, "staged", staged(b.workgroupSize(), b.subgroupSize())),
                room(b, "parts", joined(b.subgroups(), b.subgroupSize())), normalising);
    }

    private static Optional<SharedArray> room(KernelBuilder b, String name, int floats) {
        return floats == 0 ? Optional.empty() : Optional.of(b.shared(name, MemoryType.F32, floats));
    }

    /** The code of the parts, each for its workgroups. */
    private void write(KernelBuilder b, RowSetting in, List<Declared> all, Reg group, RowProduct.Place place, DeviceLimits limits) {
        Declared first = all.getFirst();
        if (all.size() == 1) {
            first.product().write(in, first.operands(), place, group, first.end());
            return;
        }
        int own = first.product().groups(b.workgroupSize(), limits);
        b.when(b.lt(group, own), () -> first.product().write(in, first.operands(), place, group, first.end()),
                () -> write(b, in, all.subList(1, all.size()), b.sub(group, own), place, limits));
    }

    private RowProduct.Place expert(KernelBuilder b, RowProduct p, Reg indices) {
        Reg row = b.workgroupZ();
        Reg index = b.toU32(b.load(MemoryType.I32, indices, row));
        Reg present = b.lt(index, p.weights().getFirst().rows() / p.matrix());
        return new RowProduct.Place(b.div(row, experts.getAsInt()), row, b.mul(b.select(present, index, b.u32(0)), p.matrix()), present);
    }
}
