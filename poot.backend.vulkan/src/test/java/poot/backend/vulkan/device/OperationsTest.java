package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.backend.vulkan.device.Operations.Case;
import poot.backend.vulkan.device.Operations.Within;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;

/** Every operation on registers, at awkward values, beside the interpreter. */
class OperationsTest {
    private static Twin twin;

    @BeforeAll
    static void open() throws ExecutorException {
        twin = new Twin(Opened.device());
    }

    @AfterAll
    static void close() {
        if (twin != null) {
            twin.close();
        }
    }

    @Test
    void unary() throws ExecutorException {
        checkAll(Operations.unary());
    }

    @Test
    void binary() throws ExecutorException {
        checkAll(Operations.binary());
    }

    @Test
    void comparisons() throws ExecutorException {
        checkAll(Operations.comparisons());
    }

    @Test
    void conversions() throws ExecutorException {
        checkAll(Operations.conversions());
    }

    @Test
    void others() throws ExecutorException {
        checkAll(Operations.others());
    }

    @Test
    void functions() throws ExecutorException {
        checkAll(Operations.functions());
    }

    /** What is spelled out where a device has no instruction for it, and parameters through a record. */
    @Test
    void withoutInstructionsThatDevicesMayLack() throws ExecutorException {
        try (Twin plain = new Twin(Opened.device(Opened.options(true, false),
                t -> new poot.backend.vulkan.spirv.SpirvTarget(false, t.keepsSpecials(), false, true, 8)))) {
            for (Case c : Operations.others()) {
                check(plain, c);
            }
        }
    }

    private static void checkAll(List<Case> cases) throws ExecutorException {
        for (Case c : cases) {
            check(twin, c);
        }
    }

    private static void check(Twin twin, Case c) throws ExecutorException {
        int[][] inputs = c.tuples();
        int n = inputs[0].length;
        DeviceKernel kernel = kernel(c, n);
        int[][] contents = Stream.concat(Stream.of(inputs), Stream.of(new int[n])).toArray(int[][]::new);
        Twin.Results r = twin.run(kernel, Grid.of((n + 63) / 64), contents);
        int last = inputs.length;
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int e = r.expected().get(last)[i];
            int f = r.found().get(last)[i];
            if (!c.within().accepts(e, f)) {
                int at = i;
                wrong.add(Stream.of(inputs).map(a -> show(c.type(), a[at])).toList() + ": " + show(c.result(), f) + ", not " + show(c.result(), e));
            }
        }
        assertTrue(wrong.isEmpty(), () -> c.name() + ": " + wrong.size() + " of " + n + " are off: " + wrong.subList(0, Math.min(8, wrong.size())));
    }

    private static String show(RegisterType type, int bits) {
        return type == ScalarType.F32 ? Float.intBitsToFloat(bits) + " (" + Integer.toHexString(bits) + ")" : Integer.toHexString(bits);
    }

    private static DeviceKernel kernel(Case c, int n) {
        var b = new KernelBuilder(c.name(), 64, twin.subgroup());
        List<Reg> from = new ArrayList<>();
        for (int k = 0; k < c.operands(); k++) {
            from.add(b.buffer("in" + k, Access.READ));
        }
        Reg to = b.buffer("out", Access.WRITE);
        Reg i = b.globalThread();
        b.when(b.lt(i, b.u32(n)), () -> {
            List<Reg> operands = from.stream().map(f -> typed(b, c.type(), b.load(MemoryType.U32, f, i))).toList();
            b.store(MemoryType.U32, to, i, bits(b, c.body().apply(b, operands)));
        });
        return b.build();
    }

    private static Reg typed(KernelBuilder b, RegisterType type, Reg bits) {
        return switch ((ScalarType) type) {
            case F32 -> b.fromBits(bits);
            case I32 -> b.toI32(bits);
            case BOOL -> b.ne(b.and(bits, 1), 0);
            case U32, BUFFER -> bits;
        };
    }

    private static Reg bits(KernelBuilder b, Reg value) {
        return value.type() == ScalarType.F32 ? b.bits(value) : b.toU32(value);
    }

    /** The tolerances themselves. */
    @Test
    void tolerances() {
        UnaryOperator<Float> next = Math::nextUp;
        int one = Float.floatToRawIntBits(1);
        assertTrue(Within.EXACT.accepts(one, one));
        assertTrue(Within.ulps(1).accepts(one, Float.floatToRawIntBits(next.apply(1f))));
        assertTrue(!Within.ulps(1).accepts(one, Float.floatToRawIntBits(next.apply(next.apply(1f)))));
        assertTrue(!Within.EXACT.accepts(one, one + 1));
        assertTrue(Within.ulps(0).accepts(0x7fc00000, 0x7f800001));
        assertTrue(!Within.ulps(9).accepts(0x7f800000, 0x7f7fffff));
        assertTrue(Within.ulps(0).accepts(1, 0), "subnormal numbers may be flushed");
    }
}
