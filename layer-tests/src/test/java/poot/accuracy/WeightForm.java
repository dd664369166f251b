package poot.accuracy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.core.checkpoint.Checkpoint;
import poot.core.driver.StoredFormats;
import poot.core.quant.Packer;
import poot.core.quantize.GgufQuantizer;

/**
 * A way to store the matrices of a model.
 *
 * @param name   its name in the table
 * @param packed packs a subject
 */
record WeightForm(String name, Packed packed) {
    /**
     * A packed checkpoint.
     *
     * @param path   where it is
     * @param from   the checkpoint it was made from
     * @param stored how many weights of the matrices are stored in which encoding
     */
    record Written(Path path, Path from, Map<String, Long> stored) {
        /** The encodings with their shares of the weights, the largest first; one that has all stands alone. */
        String shares() {
            long all = stored.values().stream().mapToLong(n -> n).sum();
            List<String> out = new ArrayList<>();
            stored.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed()).forEach(e ->
                    out.add(stored.size() == 1 ? e.getKey() : e.getKey() + " " + Math.round(100.0 * e.getValue() / all) + " %"));
            return String.join(", ", out);
        }
    }

    /** Packs subjects. */
    @FunctionalInterface
    interface Packed {
        /** Writes a subject's weights into a directory. */
        Written write(Subject subject, Path directory) throws Exception;
    }

    /** Every form, GGUF encodings first. */
    static List<WeightForm> all() {
        List<WeightForm> out = new ArrayList<>();
        out.add(new WeightForm("as stored", (s, d) -> new Written(s.gguf(), s.gguf(), Map.of("as stored", 1L))));
        for (Packer p : Packer.values()) {
            out.add(new WeightForm(p.name(), (s, d) -> gguf(s, p, d)));
        }
        for (LinearPacker p : LinearPacker.ALL) {
            out.add(new WeightForm(p.name(), (s, d) -> p.write(s.directory(), d.resolve(p.name()))));
        }
        return out;
    }

    private static Written gguf(Subject s, Packer packer, Path directory) throws Exception {
        Path file = directory.resolve(packer.name() + ".gguf");
        Map<String, Long> stored = new LinkedHashMap<>();
        try (Checkpoint from = Checkpoint.open(s.gguf(), new StoredFormats())) {
            GgufQuantizer.write(from, packer, file).forEach((e, n) -> stored.put(e.name(), n));
        }
        return new Written(file, s.gguf(), stored);
    }

    @Override
    public String toString() {
        return name;
    }
}
