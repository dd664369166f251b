package poot.serve.command;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import poot.core.hub.ByteCount;
import poot.core.hub.CachedModel;
import poot.core.hub.HubException;
import poot.core.hub.ModelCache;
import tools.jackson.databind.json.JsonMapper;

/** Lists the models in the cache. */
@Command(name = "list", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Lists the models in the cache: name, revision, size, when it was pulled, path.")
final class ListCommand implements Callable<Integer> {
    private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Console console = new Console();

    @Option(names = "--json", description = "Write a JSON array.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        try {
            ModelCache cache = NamedModel.models(true).cache();
            List<CachedModel> models = cache.list();
            if (json) {
                console.line(JsonMapper.shared().writeValueAsString(models.stream().map(ListCommand::facts).toList()));
            } else {
                table(models).forEach(console::line);
            }
            long unfinished = cache.unfinished();
            if (unfinished > 0) {
                console.err().println("poot: " + ByteCount.text(unfinished)
                        + " of unfinished downloads; pull again to go on, or remove them with poot rm hf.co/OWNER/REPO");
            }
            return 0;
        } catch (HubException e) {
            throw new CommandFailure(e.getMessage(), e);
        }
    }

    private static Map<String, Object> facts(CachedModel m) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("name", m.name());
        out.put("revision", m.commit());
        out.put("bytes", m.bytes());
        out.put("pulled", m.pulled().toString());
        out.put("path", m.path().toString());
        return out;
    }

    private static List<String> table(List<CachedModel> models) {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("NAME", "REVISION", "SIZE", "PULLED", "PATH")));
        models.forEach(m -> rows.add(List.of(m.name(), m.commit().substring(0, Math.min(12, m.commit().length())),
                ByteCount.text(m.bytes()), local(m.pulled()), m.path().toString())));
        int[] widths = new int[5];
        rows.forEach(r -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], r.get(i).length());
            }
        });
        List<String> out = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            out.add(line.toString().stripTrailing());
        }
        return out;
    }

    private static String local(Instant moment) {
        return WHEN.format(moment.atZone(ZoneId.systemDefault()));
    }
}
