package poot.core.kernel.generate.select;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): words 4j .. 4j + 3 of a row are the block of counter
 * (counter[row, 0], counter[row, 1], j, 0) under key[row]. A thread for each block.
 *
 * <p>Parameters: key U32 [rows, 2], counter U32 [rows, 2], out U32 [rows, n].
 *
 * @param n words of a row
 */
public record RandomWords(int rows, int n) implements Generator {
    private static final int ROUNDS = 10;
    private static final int EVEN = 0xD2511F53;
    private static final int ODD = 0xCD9E8D57;
    private static final int STEP = 0x9E3779B9;
    private static final int OTHER_STEP = 0xBB67AE85;

    private int blocks() {
        return (n + 3) / 4;
    }

    private Flat flat() {
        return new Flat((long) rows * blocks());
    }

    /** A thread for each block. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("random_words", limits);
        Reg key = b.buffer("key", Access.READ);
        Reg counter = b.buffer("counter", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> {
            Reg row = b.div(i, blocks());
            Reg j = b.rem(i, blocks());
            List<Reg> k = b.load(MemoryType.U32, key, b.mul(row, 2), 2);
            List<Reg> c = new ArrayList<>(b.load(MemoryType.U32, counter, b.mul(row, 2), 2));
            c.add(j);
            c.add(b.u32(0));
            List<Reg> words = block(b, k, c);
            Reg first = b.mul(j, 4);
            for (int w = 0; w < 4; w++) {
                Reg word = words.get(w);
                Reg at = b.add(first, w);
                b.when(b.lt(at, b.u32(n)), () -> b.store(MemoryType.U32, out, b.mad(row, n, at), word));
            }
        });
        return b.build();
    }

    private static List<Reg> block(KernelBuilder b, List<Reg> key, List<Reg> counter) {
        List<Reg> c = counter;
        for (int round = 0; round < ROUNDS; round++) {
            Reg k0 = b.add(key.get(0), round * STEP);
            Reg k1 = b.add(key.get(1), round * OTHER_STEP);
            Reg odd = b.mulHigh(c.get(2), b.u32(ODD));
            Reg even = b.mulHigh(c.get(0), b.u32(EVEN));
            c = List.of(b.xor(b.xor(odd, c.get(1)), k0), b.mul(c.get(2), ODD), b.xor(b.xor(even, c.get(3)), k1), b.mul(c.get(0), EVEN));
        }
        return c;
    }
}
