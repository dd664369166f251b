package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Capability;

/** Products fit the least shared memory that Vulkan promises, and with fragments a device of 32 KiB, whatever its subgroups are. */
class SharedMemoryTest {
    private static final int LEAST = 16 << 10;
    private static final int COLUMNS = 4096;
    private static final int ROWS = 512;

    private static DeviceLimits limits(int subgroup, int shared) {
        return new DeviceLimits("paper", "a device", subgroup, subgroup, subgroup, 1024, 65_535, 65_535, shared, 1L << 30, 1L << 30, 8, false,
                Set.of(Capability.MATRIX_BF16, Capability.MATRIX_F16));
    }

    private static List<WeightView> views() {
        List<WeightView> out = new ArrayList<>();
        for (Encoding e : List.of(Encoding.F32, Encoding.BF16, Encoding.Q4_0, Encoding.Q4_K, Encoding.Q6_K)) {
            out.add(WeightView.all(StoredSample.of(e, ROWS, COLUMNS, 1).stored()));
        }
        StoredSample.severalParts(1, ROWS, COLUMNS, 2).forEach(w -> out.add(WeightView.all(w.stored())));
        return out;
    }

    private static RowProducts.Part part(WeightView w, int times) {
        return new RowProducts.Part(Collections.nCopies(times, w), new Epilogue.Store(times, ROWS));
    }

    private static void fits(DeviceLimits limits, Generator g) {
        assertEquals(Optional.empty(), limits.refuses(g.kernel(limits)), g + " with subgroups of " + limits.subgroup());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64})
    void fewRows(int subgroup) {
        DeviceLimits limits = limits(subgroup, LEAST);
        for (WeightView w : views()) {
            for (int rows : new int[] {1, 8, 64}) {
                for (int times : new int[] {1, 3}) {
                    boolean normed = rows == 8 && RowProducts.normalises(List.of(w));
                    fits(limits, new RowProducts(ElementType.F32, normed ? Optional.of(new Normed(1e-5f, 0, ElementType.F32)) : Optional.empty(), rows,
                            List.of(part(w, times))));
                }
            }
        }
    }

    /** Weights that lanes have runs of beside weights whose rows lie side by side: each kind has room of its own. */
    @ParameterizedTest
    @ValueSource(ints = {4, 32, 64})
    void fewRowsOfTwoKinds(int subgroup) {
        WeightView across = views().stream().filter(w -> w.decoder().acrossRows()).findFirst().orElseThrow();
        fits(limits(subgroup, LEAST), new RowProducts(ElementType.F32, Optional.empty(), 64, List.of(part(across, 2), part(views().getFirst(), 3))));
    }

    /** What is reckoned before is what the kernel takes. */
    @ParameterizedTest
    @ValueSource(ints = {4, 32, 64})
    void reckoned(int subgroup) {
        DeviceLimits limits = limits(subgroup, LEAST);
        for (WeightView w : views()) {
            for (int tokens : new int[] {1, 2, 8}) {
                Optional<Normed> norm = RowProducts.normalises(List.of(w)) ? Optional.of(new Normed(1e-5f, 0, ElementType.F32)) : Optional.empty();
                RowProduct p = RowProduct.of(List.of(w), tokens, ROWS, 1, new Epilogue.Store(1, ROWS), limits);
                RowLaunch l = new RowLaunch(ElementType.F32, norm, OptionalInt.empty(), false, List.of(p));
                assertEquals(l.kernel(limits).sharedBytes(), l.sharedBytes(limits), w + " of " + tokens + " rows");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64})
    void manyRows(int subgroup) {
        for (WeightView w : List.of(views().getFirst(), views().get(3))) {
            for (int rows : new int[] {2, 17, 512}) {
                for (int times = 1; times <= FragmentSums.MOST_PRODUCTS; times++) {
                    List<WeightView> weights = Collections.nCopies(times, w);
                    fits(limits(subgroup, LEAST), new ManyProduct(ElementType.F32, weights, rows, Precision.F32, new Epilogue.Store(times, ROWS)));
                    DeviceLimits limits = limits(subgroup, 2 * LEAST);
                    for (Precision p : List.of(Precision.SPLIT_BF16, Precision.SPLIT_F16)) {
                        assertTrue(p.fits(limits), p + " with subgroups of " + subgroup);
                        fits(limits, new ManyProduct(ElementType.F32, weights, rows, p, new Epilogue.Store(times, ROWS)));
                    }
                }
            }
        }
    }

    @Test
    void tooManyFragmentProductsAreRefused() {
        List<WeightView> weights = Collections.nCopies(FragmentSums.MOST_PRODUCTS + 1, views().getFirst());
        Epilogue end = new Epilogue.Store(weights.size(), ROWS);
        assertThrows(IllegalArgumentException.class, () -> new ManyProduct(ElementType.F32, weights, 65, Precision.SPLIT_BF16, end));
    }
}
