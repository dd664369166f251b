package poot.backend.cuda.kernels;

import static poot.backend.cuda.kernels.KernelCase.Compared;
import static poot.backend.cuda.kernels.KernelCase.room;
import static poot.backend.cuda.kernels.KernelCase.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/** Products of matrices in fragments: every element, layout and kind of memory. Elements are small integers, so that sums are exact. */
public final class FragmentKernels {
    private static final int SIZE = Fragment.SIZE;
    private static final int DEPTH = 3 * SIZE;
    private static final int STRIDE = 64;

    private FragmentKernels() {}

    /** All those of one element: F16, BF16 or I8. */
    public static List<KernelCase> all(MemoryType element) {
        List<KernelCase> out = new ArrayList<>();
        for (Layout a : Layout.values()) {
            for (Layout b : Layout.values()) {
                out.add(product(element, a, b, a, false));
                out.add(product(element, a, b, b, true));
            }
        }
        out.add(filled(element));
        return out;
    }

    /** {@code out = out + A B} for a subgroup each of two, A [16, 48], B [48, 16]. */
    private static KernelCase product(MemoryType element, Layout la, Layout lb, Layout lc, boolean shared) {
        KernelBuilder k = new KernelBuilder(("product_" + element + "_" + la + "_" + lb + "_" + lc + (shared ? "_shared" : "")).toLowerCase(Locale.ROOT), 64, 32);
        Reg a = k.buffer("a", Access.READ);
        Reg b = k.buffer("b", Access.READ);
        Reg out = k.buffer("out", Access.READ_WRITE);
        MemoryType sum = element == MemoryType.I8 ? MemoryType.I32 : MemoryType.F32;
        Reg stride = k.u32(STRIDE);
        Reg offset = k.mul(k.subgroup(), SIZE * STRIDE);
        SharedArray sa = k.shared("sa", element, DEPTH * STRIDE);
        SharedArray sb = k.shared("sb", element, DEPTH * STRIDE);
        SharedArray so = k.shared("so", sum, 2 * SIZE * STRIDE);
        if (shared) {
            fill(k, a, sa, element, DEPTH * STRIDE);
            fill(k, b, sb, element, DEPTH * STRIDE);
            fill(k, out, so, sum, 2 * SIZE * STRIDE);
            k.barrier();
        }
        Fragment accumulator = new Fragment(Fragment.Use.ACCUMULATOR, sum);
        Place at = shared ? KernelBuilder.at(so, offset) : KernelBuilder.at(sum, out, offset);
        Reg c = k.loadFragment(accumulator, at, stride, lc);
        Reg d = k.loop(k.u32(0), k.u32(DEPTH), SIZE, c, (i, held) -> {
            Reg ia = la == Layout.ROW_MAJOR ? i : k.mul(i, STRIDE);
            Reg ib = lb == Layout.COLUMN_MAJOR ? i : k.mul(i, STRIDE);
            Reg fa = k.loadFragment(new Fragment(Fragment.Use.A, element), shared ? KernelBuilder.at(sa, ia) : KernelBuilder.at(element, a, ia), stride, la);
            Reg fb = k.loadFragment(new Fragment(Fragment.Use.B, element), shared ? KernelBuilder.at(sb, ib) : KernelBuilder.at(element, b, ib), stride, lb);
            return k.multiply(fa, fb, held);
        });
        k.storeFragment(d, at, stride, lc);
        if (shared) {
            k.barrier();
            k.loop(k.thread(), k.u32(2 * SIZE * STRIDE), 64, i -> k.store(sum, out, i, k.load(so, i)));
        }
        return new KernelCase(k.build(), Grid.of(1), List.of(elements(element, DEPTH * STRIDE, 1), elements(element, DEPTH * STRIDE, 2),
                elements(sum, 2 * SIZE * STRIDE, 3)));
    }

    private static void fill(KernelBuilder k, Reg from, SharedArray to, MemoryType t, int n) {
        k.loop(k.thread(), k.u32(n), 64, i -> k.store(to, i, k.load(t, from, i)));
    }

    /** Fragments of one value each. */
    private static KernelCase filled(MemoryType element) {
        KernelBuilder k = new KernelBuilder("filled_" + element, 32, 32);
        Reg out = k.buffer("out", Access.WRITE);
        boolean integers = element == MemoryType.I8;
        MemoryType sum = integers ? MemoryType.I32 : MemoryType.F32;
        Reg a = k.fill(new Fragment(Fragment.Use.A, element), integers ? k.i32(-3) : k.f32(1.5f));
        Reg b = k.fill(new Fragment(Fragment.Use.B, element), integers ? k.i32(5) : k.f32(-0.25f));
        Reg c = k.fill(new Fragment(Fragment.Use.ACCUMULATOR, sum), integers ? k.i32(100000) : k.f32(0.125f));
        k.storeFragment(k.multiply(a, b, c), KernelBuilder.at(sum, out, k.u32(0)), k.u32(SIZE), Layout.ROW_MAJOR);
        return new KernelCase(k.build(), Grid.of(1), List.of(room(SIZE * SIZE, integers ? Compared.BITS : Compared.FLOATS)));
    }

    private static KernelCase.Given elements(MemoryType t, int n, int seed) {
        Random random = new Random(seed);
        int[] out = new int[n * t.bytes() / 4];
        int per = 4 / t.bytes();
        for (int i = 0; i < n; i++) {
            int x = random.nextInt(17) - 8;
            int bits = switch (t) {
                case F16 -> Float.floatToFloat16(x) & 0xffff;
                case BF16 -> Float.floatToRawIntBits(x) >>> 16;
                case F32 -> Float.floatToRawIntBits(x);
                case I8 -> x & 0xff;
                default -> x;
            };
            out[i / per] |= bits << 8 * t.bytes() * (i % per);
        }
        return words(out);
    }
}
