package poot.backend.vulkan.spirv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/** What modules look like, where no device here can say whether they are right. */
class SpirvEmitterTest {
    private static final SpirvTarget TARGET = new SpirvTarget(true, true, true, false, 128);

    /** {@code y = sum over k of a[k] b[k]} of 16 x 16 tiles, of {@code element}. */
    private static DeviceKernel product(MemoryType element) {
        MemoryType sum = element == MemoryType.I8 ? MemoryType.I32 : MemoryType.F32;
        var b = new KernelBuilder("product_" + element, 32, 32);
        Reg a = b.buffer("a", Access.READ);
        Reg w = b.buffer("w", Access.READ);
        Reg y = b.buffer("y", Access.WRITE);
        Reg tiles = b.scalar("tiles", ScalarType.U32);
        SharedArray shared = b.shared("tile", element, 16 * 16);
        Fragment left = new Fragment(Fragment.Use.A, element);
        Fragment right = new Fragment(Fragment.Use.B, element);
        Reg zero = b.fill(new Fragment(Fragment.Use.ACCUMULATOR, sum), sum == MemoryType.I32 ? b.i32(0) : b.f32(0));
        Reg total = b.loop(b.u32(0), tiles, 1, zero, (k, acc) -> {
            Reg x = b.loadFragment(left, MemoryBuilder.at(element, a, b.mul(k, 16)), b.mul(tiles, 16), Layout.ROW_MAJOR);
            Reg z = b.loadFragment(right, MemoryBuilder.at(element, w, b.mul(k, 256)), b.u32(16), Layout.COLUMN_MAJOR);
            Reg s = b.loadFragment(right, MemoryBuilder.at(shared, b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
            return b.multiply(x, s, b.multiply(x, z, acc));
        });
        b.storeFragment(total, MemoryBuilder.at(sum, y, b.u32(0)), b.u32(16), Layout.ROW_MAJOR);
        return b.build();
    }

    @Test
    void fragmentsAreCooperativeMatrices() {
        for (MemoryType element : List.of(MemoryType.F16, MemoryType.BF16, MemoryType.I8)) {
            SpirvCode code = SpirvEmitter.emit(product(element), TARGET);
            Module m = Module.of(code.words());
            assertTrue(code.subgroups());
            assertTrue(m.has(Spirv.CAPABILITY_COOPERATIVE_MATRIX) && m.has(Spirv.CAPABILITY_VULKAN_MEMORY_MODEL));
            assertEquals(element == MemoryType.BF16, m.has(Spirv.CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX));
            List<Module.Read> types = m.all(Op.TYPE_COOPERATIVE_MATRIX);
            assertEquals(3, types.size(), element + ": A, B and the accumulator");
            for (Module.Read type : types) {
                assertEquals(List.of(Spirv.SCOPE_SUBGROUP, 16, 16), type.operands().subList(2, 5).stream().map(m::constant).toList());
            }
            List<Module.Read> loads = m.all(Op.COOPERATIVE_MATRIX_LOAD);
            assertEquals(List.of(0, 1, 0), loads.stream().map(l -> m.constant(l.operands().get(3))).toList(), "layouts");
            assertEquals(List.of(Spirv.ACCESS_ALIGNED, 16), loads.getFirst().operands().subList(5, 7), "read only: private");
            assertEquals(List.of(Spirv.ACCESS_NON_PRIVATE), loads.getLast().operands().subList(5, 6), "shared");
            assertEquals(element == MemoryType.I8 ? 6 : 5, m.all(Op.COOPERATIVE_MATRIX_MUL_ADD).getFirst().operands().size(), "signs");
            assertEquals(1, m.all(Op.COOPERATIVE_MATRIX_STORE).size());
        }
    }

    @Test
    void validatorAcceptsCooperativeMatrices() {
        SpirvVal.assumeThere();
        String said = SpirvVal.said(SpirvEmitter.emit(product(MemoryType.F16), TARGET).words());
        Assumptions.assumeFalse(said.contains("Invalid") && said.contains("4456") || said.contains("6022"),
                "this spirv-val does not know SPV_KHR_cooperative_matrix: " + said);
        assertEquals("", said);
    }

    @Test
    void headerAndEntryPoint() {
        var b = new KernelBuilder("nothing", 128, 32);
        int[] words = SpirvEmitter.emit(b.build(), TARGET).words();
        assertArrayEquals(new int[] {0x07230203, 0x00010600, 0}, java.util.Arrays.copyOf(words, 3));
        Module m = Module.of(words);
        assertTrue(m.bound() > 1 && words[4] == 0);
        assertEquals(List.of(Spirv.MODE_LOCAL_SIZE, 128, 1, 1),
                m.all(Op.EXECUTION_MODE).stream().map(i -> i.operands().subList(1, i.operands().size())).filter(o -> o.size() == 4).findFirst().orElseThrow());
        SpirvVal.check("nothing", words);
    }

    /** What a device may lack is asked for only where it is used. */
    @Test
    void capabilitiesAreThoseUsed() {
        var b = new KernelBuilder("plain", 64, 32);
        Reg to = b.buffer("to", Access.WRITE);
        b.store(MemoryType.U32, to, b.thread(), b.u32(1));
        Module m = Module.of(SpirvEmitter.emit(b.build(), TARGET).words());
        for (int c : new int[] {Spirv.CAPABILITY_FLOAT16, Spirv.CAPABILITY_FLOAT64, Spirv.CAPABILITY_INT8, Spirv.CAPABILITY_INT16, Spirv.CAPABILITY_STORAGE_BUFFER_16,
            Spirv.CAPABILITY_STORAGE_BUFFER_8, Spirv.CAPABILITY_GROUP_NON_UNIFORM, Spirv.CAPABILITY_DOT_PRODUCT,
            Spirv.CAPABILITY_COOPERATIVE_MATRIX}) {
            assertFalse(m.has(c), "capability " + c);
        }
    }

    @Test
    void parametersArePushedUpToTheLimit() {
        var b = new KernelBuilder("parameters", 64, 32);
        b.scalar("a", ScalarType.F32);
        b.buffer("b", Access.READ);
        b.scalar("c", ScalarType.U32);
        DeviceKernel kernel = b.build();
        ParameterLayout pushed = SpirvEmitter.emit(kernel, new SpirvTarget(true, true, true, false, 24)).parameters();
        assertEquals(new ParameterLayout(List.of(0, 8, 16), 24, true), pushed);
        ParameterLayout record = SpirvEmitter.emit(kernel, new SpirvTarget(true, true, true, false, 16)).parameters();
        assertEquals(new ParameterLayout(List.of(0, 8, 16), 24, false), record);
        assertEquals(8, record.pushedBytes());
    }
}
