package poot.backend.cpu.kernel.matmul;

import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** Products of one shape [m, n] whose results lie one after another: their columns are spread over the team. */
final class ColumnSplit implements Step {
    /** Multiplications below which a range is not worth handing out. */
    private static final long LEAST = 32768;

    private final TiledProduct[] products;
    private final Region out;
    private final int m;
    private final int n;
    private final int step;
    private final long tiles;
    private final Work body = this::range;

    ColumnSplit(TiledProduct[] products, Region out) {
        this.products = products;
        this.out = out;
        this.m = products.length == 0 ? 0 : products[0].rows();
        this.n = products.length == 0 ? 0 : products[0].columns();
        this.step = products.length == 0 ? 1 : step(products[0]);
        this.tiles = m == 0 ? 0 : Math.ceilDiv(n, step);
    }

    /** Columns of a range: a multiple of the grain. */
    static int step(TiledProduct p) {
        long column = Math.max(1, (long) Math.max(1, p.rows()) * p.depth());
        return Math.clamp(LEAST / column / p.grain(), 1, Integer.MAX_VALUE / p.grain() / 2) * p.grain();
    }

    @Override
    public void run(Team team) {
        for (TiledProduct p : products) {
            p.stage(team);
        }
        team.run(body, products.length * tiles, 1);
    }

    private void range(int worker, long from, long to) {
        for (long task = from; task < to; task++) {
            long batch = task / tiles;
            int column = (int) (task % tiles) * step;
            long at = out.offset() + 4 * (batch * m * n + column);
            products[(int) batch].run(worker, column, Math.min(n, column + step), out.segment(), at, 4L * n);
        }
    }
}
