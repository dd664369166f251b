package poot.core.kernel.generate.row;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Several kernels that go through rows as one: a workgroup makes a row by all of them in turn, and waits between two of which
 * the later takes what the earlier made. Parameters: the buffers, then the numbers of the members that have one, in order.
 *
 * @param members in order
 * @param buffers what is done with each buffer by all members together
 * @param rows    how many; divides every member's parts
 */
public record RowGroup(List<Member> members, List<Access> buffers, long rows) implements Generator {
    /**
     * One kernel.
     *
     * @param buffers which of the group's buffers it has, in the order of its own parameters
     * @param parts   of it
     * @param numbers whether its last parameter is a number
     * @param waits   whether it takes what members since the last wait made
     */
    public record Member(Rowed kernel, List<Integer> buffers, long parts, boolean numbers, boolean waits) {
        public Member {
            Objects.requireNonNull(kernel, "kernel");
            buffers = List.copyOf(buffers);
        }
    }

    /** @throws IllegalArgumentException if a member cannot be cut into the rows */
    public RowGroup {
        members = List.copyOf(members);
        buffers = List.copyOf(buffers);
        for (Member m : members) {
            if (rows < 1 || m.parts() % rows != 0) {
                throw new IllegalArgumentException(m + " in " + rows + " rows");
            }
        }
    }

    /** A workgroup for each row. */
    public Grid grid(DeviceLimits limits) {
        return new Flat(rows).workgroupGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        long busy = members.stream().mapToLong(m -> m.kernel().threads(m.parts() / rows, limits)).max().orElse(1);
        KernelBuilder b = new KernelBuilder("rows", Flat.workgroup(busy, limits), limits.subgroup());
        List<Reg> shared = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            shared.add(b.buffer("buffer" + i, buffers.get(i)));
        }
        List<List<Reg>> params = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            List<Reg> own = new ArrayList<>(members.get(i).buffers().stream().map(shared::get).toList());
            if (members.get(i).numbers()) {
                own.add(b.scalar("number" + i, ScalarType.U32));
            }
            params.add(own);
        }
        Reg row = Flat.workgroup(b);
        b.when(b.lt(row, (int) rows), () -> {
            for (int i = 0; i < members.size(); i++) {
                Member m = members.get(i);
                if (m.waits()) {
                    b.barrier();
                }
                long each = m.parts() / rows;
                m.kernel().part(b, params.get(i), b.mul(row, (int) each), each, "member" + i + "_");
            }
        });
        return b.build();
    }
}
