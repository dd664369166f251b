package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.pointwise.Expression;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * Several products of one left operand, in one run of the team, each followed on its columns by what is applied to it:
 * bias, residual, gate and activation.
 */
public final class FusedProducts implements Step {
    /** Multiplications a range aims at, so that its epilogue is not all overhead. */
    private static final long AIM = 131072;
    /** Ranges a worker should find at least. */
    private static final int SHARE = 8;

    /**
     * Products of one shape [m, n] and what is applied to them together.
     *
     * @param outs     where each product goes; in a tile of its range where empty, in the order of those
     * @param epilogue what is applied to the results
     */
    public record Lane(List<TiledProduct> products, List<Optional<Region>> outs, Optional<Expression> epilogue) {
        public Lane {
            products = List.copyOf(products);
            outs = List.copyOf(outs);
        }

        private long tiles() {
            return outs.stream().filter(Optional::isEmpty).count();
        }

        private int step(int workers) {
            TiledProduct p = products.getFirst();
            long column = Math.max(1, (long) p.rows() * p.depth() * products.size());
            long most = Math.min(AIM / column, p.columns() / (SHARE * (long) workers));
            int grain = products.stream().mapToInt(TiledProduct::grain).max().orElse(1);
            return Math.clamp(most / grain, 1, Integer.MAX_VALUE / grain / 2) * grain;
        }
    }

    private final Lane[] lanes;
    private final int[] steps;
    private final long[] ends;
    private final Workspace workspace;
    private final Work body = this::range;

    /** The lanes of a kernel; every grain divides the largest among the products of its lane. */
    public FusedProducts(List<Lane> lanes, Workspace workspace, int workers) {
        this.lanes = lanes.toArray(Lane[]::new);
        this.workspace = workspace;
        this.steps = new int[this.lanes.length];
        this.ends = new long[this.lanes.length];
        long end = 0;
        for (int i = 0; i < steps.length; i++) {
            TiledProduct first = this.lanes[i].products().getFirst();
            steps[i] = Math.min(this.lanes[i].step(workers), Math.max(1, first.columns()));
            end += Math.ceilDiv(first.columns(), steps[i]);
            ends[i] = end;
            workspace.reserveTiles(this.lanes[i].tiles() * 4L * first.rows() * steps[i]);
        }
    }

    @Override
    public void run(Team team) {
        for (Lane lane : lanes) {
            for (int i = 0; i < lane.products().size(); i++) {
                lane.products().get(i).stage(team);
            }
        }
        team.run(body, ends[ends.length - 1], 1);
    }

    private void range(int worker, long from, long to) {
        int lane = 0;
        for (long task = from; task < to; task++) {
            while (task >= ends[lane]) {
                lane++;
            }
            long first = lane == 0 ? 0 : ends[lane - 1];
            int column = (int) (task - first) * steps[lane];
            int n = lanes[lane].products().getFirst().columns();
            columns(worker, lanes[lane], column, Math.min(n, column + steps[lane]), steps[lane]);
        }
    }

    private void columns(int worker, Lane lane, int from, int to, int step) {
        TiledProduct first = lane.products().getFirst();
        int m = first.rows();
        int n = first.columns();
        MemorySegment tiles = workspace.tiles();
        long stride = 4L * m * step;
        long tile = workspace.tilesAt(worker);
        for (int i = 0; i < lane.products().size(); i++) {
            Optional<Region> out = lane.outs().get(i);
            if (out.isPresent()) {
                Region r = out.get();
                lane.products().get(i).run(worker, from, to, r.segment(), r.offset() + 4L * from, 4L * n);
            } else {
                lane.products().get(i).run(worker, from, to, tiles, tile, 4L * (to - from));
                tile += stride;
            }
        }
        if (lane.epilogue().isPresent()) {
            lane.epilogue().get().block(worker, m, n, from, to - from, tiles, workspace.tilesAt(worker), stride);
        }
    }
}
