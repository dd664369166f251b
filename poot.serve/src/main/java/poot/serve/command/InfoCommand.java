package poot.serve.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.api.graph.Weight;
import poot.api.model.ModelConfig;
import poot.api.model.KvForm;
import poot.api.model.ProgramName;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import tools.jackson.databind.json.JsonMapper;

/** Describes a checkpoint. */
@Command(name = "info", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Describes a model: family, dimensions, formats, memory, and which backends can run it.")
final class InfoCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Mixin
    private ModelOptions modelOptions;

    @Option(names = "--tensors", description = "List every weight with its format and shape.")
    private boolean tensors;

    @Option(names = "--json", description = "Write a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        try (LoadedModel model = LoadedModel.open(modelOptions, console)) {
            Map<String, Object> facts = new LinkedHashMap<>();
            ModelConfig config = model.model().config();
            facts.put("model", modelOptions.path().toString());
            facts.put("family", config.family());
            facts.put("vocabulary", config.vocabulary());
            facts.put("context", config.contextLength());
            facts.put("dimensions", config.dimensions());
            facts.put("programs", model.model().schema().programs().keySet().stream().map(ProgramName::toString).sorted().toList());
            facts.put("chat_template", model.text().hasChatTemplate());
            weights(model, facts);
            facts.put("backends", backends(model));
            if (json) {
                console.line(JsonMapper.shared().writeValueAsString(facts));
            } else {
                facts.forEach(this::show);
            }
            return 0;
        }
    }

    private void show(String key, Object value) {
        switch (value) {
            case Map<?, ?> m -> {
                console.line(key + ":");
                m.forEach((k, v) -> console.line("  " + k + ": " + v));
            }
            case List<?> l when !l.isEmpty() && l.get(0) instanceof Map<?, ?> -> {
                console.line(key + ":");
                l.forEach(row -> console.line("  " + String.join("  ", ((Map<?, ?>) row).values().stream().map(String::valueOf).toList())));
            }
            default -> console.line(key + ": " + value);
        }
    }

    private void weights(LoadedModel model, Map<String, Object> facts) {
        SortedMap<String, Integer> formats = new TreeMap<>();
        Set<String> seen = new HashSet<>();
        Set<Long> parts = new HashSet<>();
        List<Map<String, Object>> list = new ArrayList<>();
        long bytes = 0;
        for (Weight w : model.handle().weights().values()) {
            if (!seen.add(w.name())) {
                continue;
            }
            formats.merge(w.format().encoding().name(), 1, Integer::sum);
            for (var p : w.parts()) {
                bytes += parts.add(p.address()) ? p.byteSize() : 0;
            }
            list.add(Map.of("name", w.name() + "  " + w.format().encoding() + "  " + w.stored()));
        }
        facts.put("formats", formats);
        facts.put("weight_bytes", bytes);
        facts.put("cache_bytes_per_position", cacheBytesPerPosition(model));
        if (tensors) {
            facts.put("tensors", list);
        }
    }

    /** Of each form that --kv takes. */
    private static Map<String, Long> cacheBytesPerPosition(LoadedModel model) {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (KvForm form : KvForm.values()) {
            bytes.put(form.name().toLowerCase(Locale.ROOT), model.model().schema().kvBytes(1, form));
        }
        return bytes;
    }

    /** Each backend, and whether the model's steps compile for it. */
    private List<Map<String, Object>> backends(LoadedModel model) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ExecutorProvider p : Backends.all()) {
            Availability found = p.probe();
            String verdict = switch (found) {
                case Availability.Unavailable u -> "unavailable: " + u.reason();
                case Availability.Available a -> tryOn(p, model);
            };
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", p.name());
            row.put("verdict", verdict);
            if (found instanceof Availability.Available a) {
                row.put("device", a.device());
            }
            rows.add(row);
        }
        return rows;
    }

    private static String tryOn(ExecutorProvider p, LoadedModel model) {
        boolean steps = model.model().schema().program(ProgramName.STEP).isPresent();
        DriverOptions options = DriverOptions.DEFAULT.withCapacity(16).withPrefillChunk(16).withEncodeTokens(16)
                .withHeads(steps ? EnumSet.of(HeadKind.GREEDY) : EnumSet.noneOf(HeadKind.class));
        try (Executor executor = p.open(ExecutorOptions.DEFAULT)) {
            return switch (Driver.over(model.handle(), executor, options).prepare()) {
                case Preparation.Ready r -> {
                    r.driver().close();
                    yield "can run it";
                }
                case Preparation.Refused r -> {
                    r.driver().close();
                    yield "cannot run it: " + r.fault().message();
                }
            };
        } catch (ExecutorException e) {
            return "cannot run it: " + e.fault().message();
        }
    }
}
