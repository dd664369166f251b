package poot.core.hub;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import poot.core.hub.ModelReference.OnHub;

/**
 * Picks the files of a repository that a model needs.
 *
 * <p>With a choice: the GGUF file of that name, whole set included, or the one whose name or folder ends in that
 * quantization, in any case. Without: the safetensors checkpoint at the root, if there is one; else the only GGUF, or the
 * {@code Q4_K_M} one. Projectors and calibration data ({@code mmproj}, {@code imatrix}) are taken only by their file name.
 */
final class Chooser {
    /** The quantization that is meant where nobody says. */
    private static final String USUAL = "Q4_K_M";
    private static final String SINGLE = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";
    private static final Pattern SHARD = Pattern.compile("(.*)-([0-9]{5})-of-([0-9]{5})\\.gguf", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** What a quantization is called: letters and a digit, as in IQ4_XS, bf16, UD-Q4_K_XL. */
    private static final Pattern QUANTIZATION = Pattern.compile("(?:[a-z]+-)*[a-z]+[0-9][a-z0-9]*(?:[_.-][a-z0-9]+)*");

    /** What is read beside safetensors, at the root or in a folder of that name. */
    private static final Set<String> SIDE = Set.of("config.json", "generation_config.json", "special_tokens_map.json", "added_tokens.json",
            "vocab.json", "vocab.txt", "merges.txt", "spiece.model", "sentencepiece.bpe.model", "modules.json", "1_Pooling/config.json",
            "sentence_bert_config.json", "config_sentence_transformers.json", "preprocessor_config.json",
            "video_preprocessor_config.json", "processor_config.json", "quantize_config.json", "quant_config.json");
    private static final Pattern SIDE_FORM = Pattern.compile(
            "(?:tokenizer[A-Za-z0-9._-]*\\.(?:json|model)|chat_template[A-Za-z0-9._-]*|additional_chat_templates/[^/]*\\.jinja)");

    /** A model of a repository, as files. */
    sealed interface Chosen {
        /** What the model is called among those of its repository; a folder's name. */
        String id();

        /** A GGUF file, or the files of a split set in order. */
        record Gguf(List<RepoFile> parts) implements Chosen {
            @Override
            public String id() {
                return parts.getFirst().path();
            }
        }

        /** A safetensors checkpoint; with an index, its shards are those the index names. */
        record Directory(List<RepoFile> side, RepoFile weights, boolean indexed) implements Chosen {
            @Override
            public String id() {
                return "safetensors";
            }
        }
    }

    private final OnHub reference;
    private final RepoTree tree;
    private final SortedMap<String, List<RepoFile>> ggufs;

    private Chooser(OnHub reference, RepoTree tree) {
        this.reference = reference;
        this.tree = tree;
        this.ggufs = ggufs(tree);
    }

    /** The model that a reference means in a repository with these files. */
    static Chosen choose(OnHub reference, RepoTree tree) throws HubException {
        Chooser chooser = new Chooser(reference, tree);
        Chosen chosen = reference.choice().isPresent() ? chooser.named(reference.choice().get()) : chooser.usual();
        if (chosen instanceof Chosen.Gguf gguf) {
            chooser.checkWhole(gguf);
        }
        return chosen;
    }

    /** GGUF checkpoints by the path of their first file; a split set is one. */
    private static SortedMap<String, List<RepoFile>> ggufs(RepoTree tree) {
        SortedMap<String, List<RepoFile>> out = new TreeMap<>();
        for (RepoFile f : tree.files().values()) {
            if (f.path().toLowerCase(Locale.ROOT).endsWith(".gguf")) {
                Matcher m = SHARD.matcher(f.path());
                String key = m.matches() ? m.group(1) + "-00001-of-" + m.group(3) + f.path().substring(f.path().length() - 5) : f.path();
                out.computeIfAbsent(key, k -> new ArrayList<>()).add(f);
            }
        }
        return out;
    }

    private Chosen named(String choice) throws HubException {
        for (Map.Entry<String, List<RepoFile>> e : ggufs.entrySet()) {
            if (e.getKey().equals(choice) || e.getValue().stream().anyMatch(f -> f.path().equals(choice))) {
                return new Chosen.Gguf(e.getValue());
            }
        }
        if (choice.endsWith(".gguf")) {
            throw noChoice("there is no such file");
        }
        if (tree.file(choice).isPresent()) {
            if (choice.equals(SINGLE) || choice.equals(INDEX)) {
                return directory().orElseThrow(() -> noWeights("it has " + choice + " but no config.json"));
            }
            throw noChoice("that file is no GGUF file");
        }
        List<List<RepoFile>> found = quantized(choice);
        return switch (found.size()) {
            case 0 -> throw noChoice("there is no such file or quantization");
            case 1 -> new Chosen.Gguf(found.getFirst());
            default -> throw noChoice("several files are of that quantization");
        };
    }

    private Chosen usual() throws HubException {
        Optional<Chosen.Directory> directory = directory();
        if (directory.isPresent()) {
            return directory.get();
        }
        List<List<RepoFile>> models = ggufs.values().stream().filter(Chooser::isModel).toList();
        if (models.isEmpty()) {
            throw noWeights(nothingToRead());
        }
        List<List<RepoFile>> found = models.size() == 1 ? models : quantized(USUAL);
        if (found.size() != 1) {
            throw noChoice("it holds several models" + (found.isEmpty() ? ", none of them " + USUAL : ""));
        }
        return new Chosen.Gguf(found.getFirst());
    }

    /** The models of a quantization: the name's end without numbers, or the folder. */
    private List<List<RepoFile>> quantized(String quantization) {
        String wanted = quantization.toLowerCase(Locale.ROOT);
        if (!QUANTIZATION.matcher(wanted).matches()) {
            return List.of();
        }
        return ggufs.values().stream().filter(Chooser::isModel).filter(parts -> {
            String path = parts.getFirst().path().toLowerCase(Locale.ROOT);
            Matcher m = SHARD.matcher(path);
            String stem = m.matches() ? m.group(1) : path.substring(0, path.length() - 5);
            String name = stem.substring(stem.lastIndexOf('/') + 1);
            String before = name.substring(0, Math.max(0, name.length() - wanted.length()));
            boolean ends = name.endsWith(wanted) && (before.isEmpty() || "-._".indexOf(before.charAt(before.length() - 1)) >= 0);
            return ends || List.of(stem.split("/")).contains(wanted);
        }).toList();
    }

    private static boolean isModel(List<RepoFile> parts) {
        String name = parts.getFirst().name().toLowerCase(Locale.ROOT);
        return !name.contains("mmproj") && !name.contains("imatrix");
    }

    private Optional<Chosen.Directory> directory() {
        Optional<RepoFile> weights = tree.file(SINGLE).or(() -> tree.file(INDEX));
        if (weights.isEmpty() || tree.file("config.json").isEmpty()) {
            return Optional.empty();
        }
        List<RepoFile> side = tree.files().values().stream()
                .filter(f -> SIDE.contains(f.path()) || SIDE_FORM.matcher(f.path()).matches()).toList();
        return Optional.of(new Chosen.Directory(side, weights.get(), weights.get().path().equals(INDEX)));
    }

    /** A split set has a file for every number up to its count. */
    private void checkWhole(Chosen.Gguf gguf) throws HubException {
        for (RepoFile f : gguf.parts()) {
            if (!SafeName.isSafe(f.path())) {
                throw new HubException(new HubFault.UnsafeName(reference.repository(), tree.commit(), f.path()));
            }
        }
        Matcher m = SHARD.matcher(gguf.parts().getFirst().path());
        if (!m.matches()) {
            return;
        }
        int count = Integer.parseInt(m.group(3));
        for (int no = 1; no <= Math.min(count, gguf.parts().size() + 1); no++) {
            String suffix = String.format(Locale.ROOT, "-%05d-of-%05d.gguf", no, count);
            if (gguf.parts().stream().noneMatch(f -> f.path().toLowerCase(Locale.ROOT).endsWith(suffix))) {
                throw new HubException(new HubFault.NoFile(reference.repository(), tree.commit(), m.group(1) + suffix,
                        "the set is of " + count + " files; choose another"));
            }
        }
    }

    private String nothingToRead() {
        List<String> others = tree.files().keySet().stream()
                .filter(p -> p.matches("(?s).*\\.(?:bin|pt|pth|h5|onnx|msgpack|safetensors)")).limit(3).toList();
        return "it holds no GGUF file and no " + SINGLE + " with a config.json"
                + (others.isEmpty() ? "" : "; " + HubFault.printable(String.join(", ", others), 200) + " cannot be read")
                + "; look for a repository with a GGUF or safetensors conversion";
    }

    private HubException noChoice(String reason) {
        List<HubFault.Offer> offers = ggufs.entrySet().stream().filter(e -> isModel(e.getValue()))
                .map(e -> new HubFault.Offer(HubFault.printable(e.getKey(), 200), total(e.getValue()))).toList();
        if (offers.isEmpty()) {
            return noWeights("it holds no GGUF file to choose; " + (directory().isPresent()
                    ? "name it without a choice: hf.co/" + reference.repository() : nothingToRead()));
        }
        return new HubException(new HubFault.NoChoice(reference.repository(), reference.choice(), reason, offers));
    }

    private HubException noWeights(String reason) {
        return new HubException(new HubFault.NoWeights(reference.repository(), tree.commit(), reason));
    }

    private static long total(List<RepoFile> parts) {
        return parts.stream().mapToLong(RepoFile::bytes).sum();
    }
}
