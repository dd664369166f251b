package poot.core.checkpoint;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * The files beside the weights of a Hugging Face directory that text services and encoders read. A GGUF checkpoint
 * has none: its metadata holds what they would say.
 */
public final class SideFiles {
    private static final long MAX_TEMPLATE = 4L << 20;
    private static final List<String> COMPANIONS = List.of("generation_config.json", "modules.json", "1_Pooling/config.json",
            "sentence_bert_config.json", "config_sentence_transformers.json", "preprocessor_config.json",
            "video_preprocessor_config.json", "processor_config.json");

    private final Optional<Path> directory;

    private SideFiles(Optional<Path> directory) {
        this.directory = directory;
    }

    /** The files of a directory. */
    static SideFiles in(Path directory) {
        return new SideFiles(Optional.of(directory));
    }

    /** No files. */
    static SideFiles none() {
        return new SideFiles(Optional.empty());
    }

    /**
     * The small configuration files that families read beside {@code config.json}, by relative name. A list at the
     * root is under the key {@code items}.
     */
    Map<String, RawConfig> companions() throws CheckpointException {
        Map<String, RawConfig> out = new LinkedHashMap<>();
        for (String name : COMPANIONS) {
            Optional<Path> file = path(name);
            if (file.isPresent()) {
                Object tree = Json.value(file.get(), JsonLimits.CONFIG);
                Map<String, Object> values = tree instanceof List<?> list ? Map.of("items", list) : Json.asObject(file.get(), tree);
                out.put(name, RawConfig.of(ConfigSource.HF, file.get(), values));
            }
        }
        return out;
    }

    /** Where a file of that relative name is, if it is there. */
    public Optional<Path> path(String name) {
        return directory.map(d -> d.resolve(name)).filter(Files::exists);
    }

    /** {@code tokenizer.json}, whose tree may be large and is left to the tokenizer to read. */
    public Optional<Path> tokenizer() {
        return path("tokenizer.json");
    }

    /** {@code tokenizer_config.json}. */
    public Optional<Map<String, Object>> tokenizerConfig() throws CheckpointException {
        return object("tokenizer_config.json");
    }

    /** {@code generation_config.json}. */
    public Optional<Map<String, Object>> generationConfig() throws CheckpointException {
        return object("generation_config.json");
    }

    /** {@code special_tokens_map.json}. */
    public Optional<Map<String, Object>> specialTokens() throws CheckpointException {
        return object("special_tokens_map.json");
    }

    /** {@code modules.json}: the stages of a sentence encoder. */
    public Optional<List<?>> modules() throws CheckpointException {
        Optional<Path> file = path("modules.json");
        if (file.isEmpty()) {
            return Optional.empty();
        }
        if (Json.value(file.get(), JsonLimits.CONFIG) instanceof List<?> list) {
            return Optional.of(list);
        }
        throw Faults.malformed(file.get(), "document", "the root is not a list");
    }

    /** {@code 1_Pooling/config.json}: how a sentence encoder pools. */
    public Optional<Map<String, Object>> pooling() throws CheckpointException {
        return object("1_Pooling/config.json");
    }

    /** The text of {@code chat_template.jinja}. */
    public Optional<String> chatTemplate() throws CheckpointException {
        Optional<Path> file = path("chat_template.jinja");
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            long size = Files.size(file.get());
            if (size > MAX_TEMPLATE) {
                throw Faults.malformed(file.get(), "document", size + " bytes; at most " + MAX_TEMPLATE + " are read");
            }
            return Optional.of(Files.readString(file.get(), StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new CheckpointException(new CheckpointException.Malformed(file.get(), "document", "not valid UTF-8"), e);
        } catch (IOException e) {
            throw Faults.unreadable(file.get(), e);
        }
    }

    /** Any other JSON file of that name whose root is an object, such as {@code preprocessor_config.json}. */
    public Optional<Map<String, Object>> object(String name) throws CheckpointException {
        Optional<Path> file = path(name);
        return file.isEmpty() ? Optional.empty() : Optional.of(Json.tree(file.get(), JsonLimits.TOKENIZER));
    }
}
