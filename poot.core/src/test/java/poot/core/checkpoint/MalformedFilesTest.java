package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * Every file of the malformed set, opened in 64 MiB of heap: defects of the files are refused here, quickly and by
 * name; those that only a family or a tokenizer can see open here. The sets are counted, so that no file is in none.
 */
class MalformedFilesTest {
    /** Nothing is wrong, or nothing that matters. */
    private static final Set<String> SOUND = Set.of("gguf/valid.gguf", "gguf/trailing-garbage.gguf", "hf/valid");

    /** Well-formed files whose values or tensors do not make a model; a family refuses them. */
    private static final Set<String> FAMILY = Set.of(
            "gguf/unknown-architecture.gguf", "gguf/no-block-count.gguf", "gguf/block-count-huge.gguf",
            "gguf/block-count-2.gguf", "gguf/block-count-string.gguf", "gguf/head-count-0.gguf",
            "gguf/head-count-kv-3.gguf", "gguf/embedding-length-mismatch.gguf", "gguf/eps-nan.gguf",
            "gguf/eps-negative.gguf", "gguf/missing-tensor.gguf", "gguf/wrong-shape.gguf",
            "hf/st-missing-tensor", "hf/st-extra-tensor", "hf/st-nan", "hf/cfg-unknown-model-type",
            "hf/cfg-no-hidden-size", "hf/cfg-no-num-hidden-layers", "hf/cfg-no-num-attention-heads",
            "hf/cfg-no-vocab-size", "hf/cfg-typo", "hf/cfg-layers-2", "hf/cfg-heads-0", "hf/cfg-heads-negative",
            "hf/cfg-kv-not-divisor", "hf/cfg-hidden-string", "hf/cfg-hidden-huge", "hf/cfg-vocab-mismatch",
            "hf/cfg-act-unknown", "hf/cfg-rope-unknown", "hf/cfg-rope-incomplete");

    /** Vocabularies that a tokenizer refuses. */
    private static final Set<String> TOKENIZER = Set.of(
            "gguf/no-tokens.gguf", "gguf/bos-out-of-range.gguf", "gguf/token-type-short.gguf",
            "gguf/tokens-fewer-than-rows.gguf", "hf/tok-absent", "hf/tok-not-json", "hf/tok-unknown-model",
            "hf/tok-merge-unknown", "hf/tok-duplicate-id", "hf/tok-id-huge", "hf/tok-bad-regex");

    private static final int FILES = 151;
    private static final int REFUSED_HERE = 106;

    @Test
    void everyDefectOfAFileIsRefusedInASecondAnd64MiB(@TempDir Path temp) throws Exception {
        Path root = SharedData.require("golden/malformed");
        Map<String, String> expected = manifest(root);
        List<String> names = List.copyOf(expected.keySet());
        Path list = temp.resolve("paths");
        Files.write(list, names.stream().map(n -> root.resolve(n).toString()).toList());
        List<Probe.Result> results = Probe.fork(64, root.resolve("hf/valid"), "paths", list.toString());

        assertEquals(FILES, names.size());
        assertEquals(FILES, results.size());
        int refused = 0;
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Probe.Result r = results.get(i);
            boolean opens = SOUND.contains(name) || FAMILY.contains(name) || TOKENIZER.contains(name);
            boolean asWanted = opens
                    ? r.outcome() == Probe.Outcome.OPENED
                    : r.outcome() == Probe.Outcome.REFUSED && !r.message().isBlank() && expected.get(name).contains("reject");
            if (!asWanted || r.millis() >= 1000) {
                wrong.add(name + ": " + r);
            }
            refused += opens ? 0 : 1;
        }
        assertEquals(List.of(), wrong);
        assertEquals(REFUSED_HERE, refused);
        assertEquals(FILES, refused + SOUND.size() + FAMILY.size() + TOKENIZER.size());
    }

    @Test
    void onlySoundFilesAreMeantToOpenForever() throws Exception {
        Path root = SharedData.require("golden/malformed");
        Set<String> accepted = new TreeSet<>();
        manifest(root).forEach((name, expect) -> {
            if (expect.equals("accept")) {
                accepted.add(name);
            }
        });
        assertEquals(Set.of("gguf/valid.gguf", "hf/valid"), accepted);
    }

    @Test
    void messagesNameTheFileAndThePlace() throws Exception {
        Path root = SharedData.require("golden/malformed");
        Map<String, String> places = Map.of(
                "gguf/duplicate-key.gguf", "key \"llama.block_count\"",
                "gguf/tensor-type-removed.gguf", "tensor type 4 (Q4_2, removed",
                "gguf/duplicate-tensor-name.gguf", "tensor \"blk.0.attn_v.weight\"",
                "gguf/lfs-pointer.gguf", "Git LFS pointer",
                "hf/st-duplicate-name", "tensor \"model.layers.0.self_attn.q_proj.weight\"",
                "hf/st-dtype-int", "tensor \"model.layers.0.self_attn.q_proj.weight\"",
                "hf/index-path-traversal", "plain name",
                "hf/cfg-no-model-type", "missing key \"model_type\"",
                "gguf/no-architecture.gguf", "missing key \"general.architecture\"");
        for (Map.Entry<String, String> e : places.entrySet()) {
            String message = Probe.open(root.resolve(e.getKey())).message();
            assertTrue(message.contains(e.getValue()), message);
            assertTrue(message.contains(root.resolve(e.getKey()).getFileName().toString()), message);
        }
    }

    private static Map<String, String> manifest(Path root) throws IOException, CheckpointException {
        Map<String, String> out = new LinkedHashMap<>();
        List<?> files = (List<?>) Json.tree(root.resolve("manifest.json"), JsonLimits.CONFIG).get("files");
        for (Object f : files) {
            Map<?, ?> entry = (Map<?, ?>) f;
            out.put((String) entry.get("file"), (String) entry.get("expect"));
        }
        return out;
    }
}
