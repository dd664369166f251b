package poot.core.quantize;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;
import poot.api.model.WeightStore;
import poot.core.checkpoint.Checkpoint;
import poot.core.checkpoint.GgufWriter;
import poot.core.checkpoint.TensorBody;
import poot.core.quant.Packer;

/**
 * Copies a GGUF checkpoint with its matrices packed to one format, the others as {@link Packer#fitting} says.
 *
 * <p>Vectors, and matrices that are no linear layer or decide a route ({@link #KEPT}), keep their bytes. Metadata is
 * copied, except what describes the old file: its split, its alignment and its file type. Memory: one row at a time.
 */
public final class GgufQuantizer {
    /** Ends of the names of matrices that stay as they are. */
    private static final Set<String> KEPT = Set.of("_norm.weight", "ffn_gate_inp.weight", "position_embd.weight",
            "token_types.weight", "ssm_conv1d.weight");
    private static final Set<String> OLD_FILE = Set.of("general.alignment", "general.file_type", "split.no", "split.count",
            "split.tensors.count");
    private static final int COPY_BYTES = 1 << 16;

    private final GgufWriter writer = new GgufWriter();
    private final Map<Encoding, Long> packed = new EnumMap<>(Encoding.class);

    private GgufQuantizer() {}

    /**
     * Writes the file, replacing one of that name; the checkpoint stays open.
     *
     * @return how many weights of the matrices are stored in each encoding
     * @throws IllegalArgumentException if the checkpoint is not GGUF
     * @throws CheckpointException      if the checkpoint's tensors cannot be read
     * @throws IOException              if the file cannot be written
     */
    public static Map<Encoding, Long> write(Checkpoint from, Packer to, Path file) throws CheckpointException, IOException {
        if (from.source() != ConfigSource.GGUF) {
            throw new IllegalArgumentException(from.path() + " is not a GGUF checkpoint; convert it to GGUF first");
        }
        GgufQuantizer quantizer = new GgufQuantizer();
        quantizer.metadata(from.config());
        quantizer.tensors(from.weights(), to);
        quantizer.writer.write(file);
        return quantizer.packed;
    }

    private void metadata(RawConfig config) {
        for (String key : config.keys()) {
            if (!OLD_FILE.contains(key)) {
                writer.value(key, config.raw(key));
            }
        }
    }

    private void tensors(WeightStore weights, Packer to) {
        for (String name : weights.names()) {
            Weight w = weights.find(name).orElseThrow();
            if (w.shape().rank() < 2 || KEPT.stream().anyMatch(name::endsWith)) {
                writer.tensor(name, w.format().encoding(), w.shape(), out -> copy(w.parts().getFirst(), out));
            } else {
                Packer packer = to.fitting(w.columns());
                writer.tensor(name, packer.encoding(), w.shape(), body(w, packer));
                packed.merge(packer.encoding(), w.shape().count(), Long::sum);
            }
        }
    }

    private static TensorBody body(Weight w, Packer packer) {
        return out -> {
            Shape shape = w.shape();
            int columns = shape.dim(-1);
            float[] row = new float[columns];
            byte[] bytes = new byte[packer.bytes(columns)];
            for (long r = 0; r < w.rowCount(); r++) {
                w.decode(r, 0, columns, row, 0);
                packer.pack(row, 0, columns, bytes, 0);
                out.write(bytes);
            }
        };
    }

    private static void copy(MemorySegment part, OutputStream out) throws IOException {
        byte[] chunk = new byte[(int) Math.min(part.byteSize(), COPY_BYTES)];
        for (long at = 0; at < part.byteSize(); at += chunk.length) {
            int now = (int) Math.min(chunk.length, part.byteSize() - at);
            MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, chunk, 0, now);
            out.write(chunk, 0, now);
        }
    }
}
