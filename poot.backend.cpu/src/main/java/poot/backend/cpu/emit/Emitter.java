package poot.backend.cpu.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.graph.Weight;
import poot.backend.cpu.ffi.CodeRefused;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Dense;
import poot.backend.cpu.x86.kernel.FewRows;
import poot.backend.cpu.x86.kernel.Panels;
import poot.backend.cpu.x86.kernel.Staging;
import poot.backend.cpu.x86.weight.DenseFormat;
import poot.backend.cpu.x86.weight.InputOrder;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Placement;

/** Makes kernels for the processor it runs on, each once; they live as long as the executor. */
public final class Emitter implements AutoCloseable {
    /** The system property that chooses: {@code auto} (default), {@code off}, {@code avx2}, {@code avx512}. */
    public static final String PROPERTY = "poot.cpu.emit";

    private final Simd simd;
    private final Map<Object, NativeCode> made = new HashMap<>();
    private final Map<Object, Optional<Interleaving>> orders = new HashMap<>();
    private final Map<InputOrder, InputOrder> inputs = new HashMap<>();

    private Emitter(Simd simd) {
        this.simd = simd;
    }

    /** What was found: an emitter's vectors, or why there is none. */
    public record Found(Optional<Simd> simd, String why) {}

    /** Which kernels this process can make, and may by {@link #PROPERTY}. */
    public static Found probe() {
        String wish = System.getProperty(PROPERTY, "auto").toLowerCase(Locale.ROOT);
        if (wish.equals("off")) {
            return new Found(Optional.empty(), "-D" + PROPERTY + "=off");
        }
        String machine = System.getProperty("os.arch", "");
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (!machine.equals("amd64") && !machine.equals("x86_64") || !system.contains("linux") && !system.contains("mac")) {
            return new Found(Optional.empty(), "none are made for " + machine + " and " + system);
        }
        try {
            Optional<Simd> widest = Features.widest();
            return new Found(widest.flatMap(s -> wished(s, wish)), "the processor has no AVX2 with FMA and F16C, or not what -D"
                    + PROPERTY + "=" + wish + " asks for");
        } catch (CodeRefused | IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
            return new Found(Optional.empty(), "code made at run time is refused: " + e.getMessage());
        }
    }

    private static Optional<Simd> wished(Simd widest, String wish) {
        return switch (wish) {
            case "auto" -> Optional.of(widest);
            case "avx2" -> Optional.of(Simd.AVX2);
            case "avx512" -> widest.wide() ? Optional.of(Simd.AVX512) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** An emitter, where {@link #probe} finds one. */
    public static Optional<Emitter> open() {
        return probe().simd().map(Emitter::new);
    }

    /** The vectors. */
    public Simd simd() {
        return simd;
    }

    private record RowsOf(Object format, Layout layout, int tile, boolean more) {}

    private record PanelOf(Object format) {}

    private record MultiplyOf(Layout layout, int tile) {}

    private record DenseOf(DenseFormat format, int tile, int tiles, boolean interleaved) {}

    private record StagingOf(Layout layout) {}

    /** The placement of a weight, if there is code for it. Equal orders of inputs are one, for every entry keeps those of its weights. */
    public Optional<Placement> placement(Weight w) {
        return Placement.of(w, simd.lanes()).map(p -> p.withOrder(this::known));
    }

    private synchronized InputOrder known(InputOrder order) {
        return inputs.computeIfAbsent(order, one -> one);
    }

    /** Multiplies few rows, staged as {@code layout} says, with a weight as stored; {@code more}: goes on with the sums that are there. */
    public NativeCode rows(Placement placed, Layout layout, int tile, boolean more) throws ExecutorException {
        return code(new RowsOf(placed.key(), layout, tile, more),
                () -> FewRows.of(simd, placed.rows(), layout, tile, more, placed.order()));
    }

    /** Decodes a weight into panels. */
    public NativeCode panel(Placement placed) throws ExecutorException {
        return code(new PanelOf(placed.key()), () -> Panels.decode(simd, placed.rows(), placed.order()));
    }

    /** The order in which the code for a weight reads interleaved rows, if it can. */
    public synchronized Optional<Interleaving> interleaving(Placement placed) {
        return orders.computeIfAbsent(placed.key(), key -> Interleaving.of(simd, placed.rows()));
    }

    /** Multiplies with panels. */
    public NativeCode multiply(Layout layout, int tile) throws ExecutorException {
        return code(new MultiplyOf(layout, tile), () -> Panels.multiply(simd, layout, tile));
    }

    /** Multiplies with a dense weight; arguments are as for {@link Dense#of}. */
    public NativeCode dense(DenseFormat format, int tile, int tiles, boolean interleaved) throws ExecutorException {
        return code(new DenseOf(format, tile, Math.min(tiles, Dense.MANY_TILES), interleaved),
                () -> Dense.of(simd, format, tile, tiles, interleaved));
    }

    /** Stages activations. */
    public NativeCode staging(Layout layout) throws ExecutorException {
        return code(new StagingOf(layout), () -> Staging.of(simd, layout));
    }

    /** The code of a kernel that {@code key} says all about, made by {@code bytes} where it is not there yet. */
    public NativeCode kernel(Record key, Supplier<byte[]> bytes) throws ExecutorException {
        return code(key, bytes);
    }

    private synchronized NativeCode code(Object key, Supplier<byte[]> bytes) throws ExecutorException {
        NativeCode code = made.get(key);
        if (code == null) {
            try {
                code = NativeCode.of(bytes.get());
            } catch (CodeRefused e) {
                throw new ExecutorException(new DeviceFailed("cpu", e.getMessage() + "; run with -D" + PROPERTY + "=off"), e);
            }
            made.put(key, code);
        }
        return code;
    }

    @Override
    public synchronized void close() {
        List<NativeCode> all = new ArrayList<>(made.values());
        made.clear();
        inputs.clear();
        all.forEach(NativeCode::close);
    }
}
