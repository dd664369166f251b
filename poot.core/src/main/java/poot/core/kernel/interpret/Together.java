package poot.core.kernel.interpret;

import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;

/** What the threads of a workgroup or subgroup do together; all of them must be there. */
final class Together {
    private final DeviceKernel kernel;
    private final Site site;
    private final Registers registers;
    private final Accesses accesses;

    Together(DeviceKernel kernel, Site site, Registers registers, Accesses accesses) {
        this.kernel = kernel;
        this.site = site;
        this.registers = registers;
        this.accesses = accesses;
    }

    void step(Instruction i, int[] lanes) throws KernelFaultException {
        switch (i) {
            case Instruction.Barrier b -> {
                whole(lanes);
                site.phases.barrier();
            }
            case Instruction.CommitCopies c -> {
                whole(lanes);
                accesses.commit();
            }
            case Instruction.AwaitCopies a -> {
                whole(lanes);
                accesses.await(a.pending());
            }
            case Instruction.SubgroupReduce r -> reduce(r, subgroups(lanes));
            case Instruction.Shuffle s -> shuffle(s, lanes);
            case Instruction.ShuffleXor s -> {
                subgroups(lanes);
                exchange(s.result(), s.a(), lanes, t -> t ^ s.mask());
            }
            case Instruction.Broadcast b -> {
                subgroups(lanes);
                exchange(b.result(), b.a(), lanes, t -> t - t % kernel.subgroup());
            }
            case Instruction.FragmentFill f -> fill(f, subgroups(lanes));
            case Instruction.FragmentLoad f -> load(f, subgroups(lanes));
            case Instruction.FragmentStore f -> store(f, subgroups(lanes));
            case Instruction.FragmentMultiply m -> multiply(m, subgroups(lanes));
            default -> throw new IllegalArgumentException(i + " has no meaning here: give it one");
        }
    }

    private void whole(int[] lanes) throws KernelFaultException {
        if (lanes.length != kernel.workgroup()) {
            throw new KernelFaultException(new KernelFault.Divergent(site.where(), lanes.length, kernel.workgroup()));
        }
    }

    /** The first threads of the subgroups that are there, each wholly. */
    private int[] subgroups(int[] lanes) throws KernelFaultException {
        int size = kernel.subgroup();
        int[] out = new int[(lanes.length + size - 1) / size];
        for (int k = 0; k < lanes.length; ) {
            int first = lanes[k];
            int end = k;
            while (end < lanes.length && lanes[end] / size == first / size) {
                end++;
            }
            if (end - k != size) {
                site.thread = first;
                throw new KernelFaultException(new KernelFault.Divergent(site.where(), end - k, size));
            }
            out[k / size] = first;
            k = end;
        }
        return out;
    }

    private void reduce(Instruction.SubgroupReduce r, int[] firsts) {
        IntBinaryOperator f = Scalars.reduce(r.op(), r.a().type());
        int[] a = registers.words(r.a());
        int[] out = registers.words(r.result());
        int size = kernel.subgroup();
        int[] part = new int[size];
        for (int first : firsts) {
            System.arraycopy(a, first, part, 0, size);
            for (int width = size / 2; width > 0; width /= 2) {
                for (int k = 0; k < width; k++) {
                    part[k] = f.applyAsInt(part[k], part[k + width]);
                }
            }
            Arrays.fill(out, first, first + size, part[0]);
        }
    }

    private void shuffle(Instruction.Shuffle s, int[] lanes) throws KernelFaultException {
        subgroups(lanes);
        int[] from = registers.words(s.lane());
        for (int t : lanes) {
            if (from[t] < 0 || from[t] >= kernel.subgroup()) {
                site.thread = t;
                throw site.undefined("a shuffle from lane " + Integer.toUnsignedString(from[t]) + " of " + kernel.subgroup());
            }
        }
        exchange(s.result(), s.a(), lanes, t -> t - t % kernel.subgroup() + from[t]);
    }

    private void exchange(Reg result, Reg a, int[] lanes, IntUnaryOperator from) {
        int[] in = registers.words(a).clone();
        int[] out = registers.words(result);
        for (int t : lanes) {
            out[t] = in[from.applyAsInt(t)];
        }
    }

    private void fill(Instruction.FragmentFill f, int[] firsts) throws KernelFaultException {
        int[] value = registers.words(f.value());
        MemoryType element = ((Fragment) f.result().type()).element();
        for (int first : firsts) {
            same(value, first, "the value");
            Arrays.fill(registers.fragment(f.result())[first / kernel.subgroup()], stored(value[first], element));
        }
    }

    /** A value as the element type holds it. */
    private static int stored(int bits, MemoryType element) {
        return switch (element) {
            case F16 -> Scalars.bits(Float.float16ToFloat(Float.floatToFloat16(Scalars.real(bits))));
            case BF16 -> Scalars.toBf16(bits) << 16;
            case I8 -> (byte) bits;
            case U8, U16, I16, U32, I32, F32 -> bits;
        };
    }

    private void load(Instruction.FragmentLoad f, int[] firsts) throws KernelFaultException {
        for (int first : firsts) {
            int stride = uniform(f.place(), f.stride(), first);
            accesses.loadMatrix(f.place(), first, stride, f.layout() == Layout.ROW_MAJOR, Fragment.SIZE,
                    registers.fragment(f.result())[first / kernel.subgroup()]);
        }
    }

    private void store(Instruction.FragmentStore f, int[] firsts) throws KernelFaultException {
        for (int first : firsts) {
            int stride = uniform(f.place(), f.stride(), first);
            accesses.storeMatrix(f.place(), first, stride, f.layout() == Layout.ROW_MAJOR, Fragment.SIZE,
                    registers.fragment(f.fragment())[first / kernel.subgroup()]);
        }
    }

    private int uniform(Place place, Reg stride, int first) throws KernelFaultException {
        same(registers.words(place.index()), first, "the index");
        same(registers.words(stride), first, "the stride");
        if (place instanceof Place.Global g) {
            long[] addresses = registers.addresses(g.buffer());
            for (int t = first; t < first + kernel.subgroup(); t++) {
                if (addresses[t] != addresses[first]) {
                    site.thread = t;
                    throw new KernelFaultException(new KernelFault.NotUniform(site.where(), "the buffer"));
                }
            }
        }
        int out = registers.words(stride)[first];
        if ((long) out * place.type().bytes() % 16 != 0) {
            site.thread = first;
            throw new KernelFaultException(new KernelFault.Misaligned(site.where(), "a fragment's stride", out, 16 / place.type().bytes()));
        }
        return out;
    }

    private void same(int[] values, int first, String what) throws KernelFaultException {
        for (int t = first; t < first + kernel.subgroup(); t++) {
            if (values[t] != values[first]) {
                site.thread = t;
                throw new KernelFaultException(new KernelFault.NotUniform(site.where(), what));
            }
        }
    }

    private void multiply(Instruction.FragmentMultiply m, int[] firsts) {
        boolean integer = ((Fragment) m.accumulator().type()).element() == MemoryType.I32;
        int n = Fragment.SIZE;
        for (int first : firsts) {
            int s = first / kernel.subgroup();
            int[] a = registers.fragment(m.a())[s];
            int[] b = registers.fragment(m.b())[s];
            int[] c = registers.fragment(m.accumulator())[s];
            int[] out = new int[n * n];
            for (int at = 0; at < n * n; at++) {
                out[at] = integer ? dotIntegers(a, b, at / n, at % n, c[at]) : dotReals(a, b, at / n, at % n, c[at]);
            }
            registers.fragment(m.result())[s] = out;
        }
    }

    private static int dotIntegers(int[] a, int[] b, int row, int column, int sum) {
        int out = sum;
        for (int k = 0; k < Fragment.SIZE; k++) {
            out += a[row * Fragment.SIZE + k] * b[k * Fragment.SIZE + column];
        }
        return out;
    }

    private static int dotReals(int[] a, int[] b, int row, int column, int sum) {
        float out = Scalars.real(sum);
        for (int k = 0; k < Fragment.SIZE; k++) {
            out = Math.fma(Scalars.real(a[row * Fragment.SIZE + k]), Scalars.real(b[k * Fragment.SIZE + column]), out);
        }
        return Scalars.bits(out);
    }
}
