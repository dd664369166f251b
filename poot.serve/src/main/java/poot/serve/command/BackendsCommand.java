package poot.serve.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import poot.api.executor.Availability;
import poot.api.executor.ExecutorProvider;
import poot.core.driver.Backends;
import tools.jackson.databind.json.JsonMapper;

/** Lists the backends on the module path. */
@Command(name = "backends", mixinStandardHelpOptions = true,
        description = "Lists the backends found and whether each can run here.",
        footer = {"", "A backend is a jar on the module path. Drop one into the image's plugins folder, or name its",
            "folder in POOT_PLUGINS, and it is listed here."})
final class BackendsCommand implements Callable<Integer> {
    private final Console console = new Console();

    @Option(names = "--json", description = "Write a JSON array.")
    private boolean json;

    @Override
    public Integer call() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ExecutorProvider p : Backends.all()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", p.name());
            row.put("priority", p.priority());
            switch (p.probe()) {
                case Availability.Available a -> {
                    row.put("available", true);
                    row.put("device", a.device());
                    if (a.memoryBytes() > 0) {
                        row.put("memory_bytes", a.memoryBytes());
                    }
                }
                case Availability.Unavailable u -> {
                    row.put("available", false);
                    row.put("reason", u.reason());
                }
            }
            rows.add(row);
        }
        if (json) {
            console.line(JsonMapper.shared().writeValueAsString(rows));
        } else {
            rows.forEach(r -> console.line("%-10s %s".formatted(r.get("name"),
                    r.containsKey("device") ? r.get("device") : "unavailable: " + r.get("reason"))));
        }
        return 0;
    }
}
