package poot.assembly;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.Launch;
import poot.core.kernel.ir.Param;

/**
 * What a recording asks of a device.
 *
 * @param launches kernels
 * @param transfers copies and fills
 * @param barriers waits for all before
 * @param bytes read and written, each operand of a command once; of tables that rows are taken from or put into, those rows
 *              at most
 */
record StepCost(int launches, int transfers, int barriers, long bytes) {
    /** Kernels that touch some rows of a large operand: as many bytes as their smallest other operand but indices, twice. */
    private static final Set<String> ROWS = Set.of("gather_rows", "scatter", "decode_rows");

    /** Several kernels that go through rows as one. */
    private static final String GROUP = "rows";

    static StepCost of(List<Command> commands) {
        int launches = 0;
        int barriers = 0;
        long bytes = 0;
        for (Command c : commands) {
            barriers += c.after() ? 1 : 0;
            launches += c instanceof Launch ? 1 : 0;
            bytes += switch (c) {
                case Launch l -> bytes(l);
                case Command.Copy copy -> 2 * copy.bytes();
                case Command.Fill fill -> fill.bytes();
            };
        }
        return new StepCost(launches, commands.size() - launches, barriers, bytes);
    }

    private static long bytes(Launch l) {
        String name = l.kernel().kernel().name();
        return name.equals(GROUP) ? group(l) : bytes(l, ROWS.contains(name));
    }

    private static long bytes(Launch l, boolean rows) {
        long all = 0;
        long largest = 0;
        List<Param> params = l.kernel().kernel().params();
        for (int i = 0; i < params.size(); i++) {
            if (l.arguments().get(i) instanceof Argument.Memory m) {
                all += m.bytes();
                largest = Math.max(largest, m.bytes());
            }
        }
        return rows ? 2 * (all - largest) : all;
    }

    /** Of kernels that go through rows together each operand counts as no more than all smaller ones: of tables it is some rows. */
    private static long group(Launch l) {
        List<Long> sizes = new ArrayList<>();
        for (Argument a : l.arguments()) {
            if (a instanceof Argument.Memory m) {
                sizes.add(m.bytes());
            }
        }
        Collections.sort(sizes);
        long all = 0;
        for (long s : sizes) {
            all += all == 0 ? s : Math.min(s, all);
        }
        return all;
    }
}
