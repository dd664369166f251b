package poot.core.hub;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/** The file that says what a cached model is made of. */
final class Manifest {
    /** Its name in the model's folder. */
    static final String NAME = "model.json";
    /** The folder beside it that holds the files. */
    static final String FILES = "files";

    private Manifest() {}

    static String text(CachedModel model) {
        List<Object> files = new ArrayList<>();
        for (CachedModel.Stored f : model.files()) {
            Map<String, Object> file = new LinkedHashMap<>();
            file.put("path", f.path());
            file.put("bytes", f.bytes());
            file.put("digest", f.digest());
            files.add(file);
        }
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("repository", model.repository());
        out.put("commit", model.commit());
        out.put("choice", model.choice());
        out.put("pulled", model.pulled().toString());
        out.put("files", files);
        return Json.text(out) + "\n";
    }

    /** The model whose folder this is. */
    static CachedModel read(Path folder) throws HubException {
        Path file = folder.resolve(NAME);
        try {
            Map<String, Object> values = Json.tree(file, JsonLimits.CONFIG);
            List<CachedModel.Stored> files = new ArrayList<>();
            if (!(values.get("files") instanceof List<?> list) || list.isEmpty()) {
                throw bad(file, "files");
            }
            for (Object entry : list) {
                if (!(entry instanceof Map<?, ?> f) || !(f.get("path") instanceof String path) || !SafeName.isSafe(path)
                        || !(f.get("bytes") instanceof Long bytes) || bytes < 0 || !(f.get("digest") instanceof String digest)
                        || !digest.matches("[0-9a-f]{40,64}")) {
                    throw bad(file, "files");
                }
                files.add(new CachedModel.Stored(path, bytes, digest));
            }
            String choice = string(file, values, "choice");
            if (!choice.isEmpty() && !SafeName.isSafe(choice)) {
                throw bad(file, "choice");
            }
            Path content = folder.resolve(FILES);
            return new CachedModel(string(file, values, "repository"), string(file, values, "commit"), choice,
                    choice.isEmpty() ? content : content.resolve(choice), Instant.parse(string(file, values, "pulled")), files);
        } catch (CheckpointException e) {
            throw new HubException(new HubFault.CacheFile(file, e.fault().message()), e);
        } catch (DateTimeException e) {
            throw new HubException(new HubFault.CacheFile(file, "pulled: no moment in time"), e);
        }
    }

    private static String string(Path file, Map<String, Object> values, String key) throws HubException {
        if (values.get(key) instanceof String s) {
            return s;
        }
        throw bad(file, key);
    }

    private static HubException bad(Path file, String key) {
        return new HubException(new HubFault.CacheFile(file, "not the record of a model: " + key));
    }
}
