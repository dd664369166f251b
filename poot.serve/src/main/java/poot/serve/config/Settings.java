package poot.serve.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import poot.serve.config.SettingException.BadValue;
import poot.serve.config.SettingException.Unknown;
import poot.serve.config.SettingException.Unreadable;

/** Every setting with its value and where it comes from: a flag goes before the environment, that before the file. */
public final class Settings {
    private static final String PREFIX = "POOT_SERVE_";
    private static final long LONGEST_FILE = 1 << 20;

    private final Map<String, Given> values;

    private record Given(Setting setting, String value, String source) {}

    private Settings(Map<String, Given> values) {
        this.values = values;
    }

    /**
     * Resolves every setting.
     *
     * @param flags       by name
     * @param environment the process's; variables that begin with POOT_SERVE_ have to be settings
     * @param file        properties by name
     * @throws SettingException if a name is no setting, or the file cannot be read
     */
    public static Settings of(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) throws SettingException {
        Map<String, String> variables = new LinkedHashMap<>();
        environment.forEach((k, v) -> {
            if (k.startsWith(PREFIX) && !k.equals(PREFIX + "CONFIG")) {
                variables.put(k, v);
            }
        });
        Map<String, String> keys = file.isPresent() ? read(file.get()) : new LinkedHashMap<>();
        Map<String, Given> out = new LinkedHashMap<>();
        for (Setting s : Setting.ALL) {
            String variable = variables.remove(s.variable());
            String key = keys.remove(s.name());
            if (flags.containsKey(s.name())) {
                out.put(s.name(), new Given(s, flags.get(s.name()), "--" + s.name()));
            } else if (variable != null) {
                out.put(s.name(), new Given(s, variable, s.variable()));
            } else if (key != null) {
                out.put(s.name(), new Given(s, key, file.orElseThrow().toString()));
            } else {
                out.put(s.name(), new Given(s, s.usual(), "default"));
            }
        }
        refuse(variables, "environment");
        refuse(keys, file.map(Path::toString).orElse(""));
        return new Settings(out);
    }

    private static void refuse(Map<String, String> left, String source) throws SettingException {
        if (!left.isEmpty()) {
            throw new SettingException(new Unknown(left.keySet().iterator().next(), source));
        }
    }

    private static Map<String, String> read(Path file) throws SettingException {
        Properties p = new Properties();
        try {
            if (Files.size(file) > LONGEST_FILE) {
                throw new SettingException(new Unreadable("--config", file.toString(), "it has more than " + LONGEST_FILE + " bytes"));
            }
            try (Reader in = Files.newBufferedReader(file)) {
                p.load(in);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new SettingException(new Unreadable("--config", file.toString(), e.toString()), e);
        }
        Map<String, String> out = new LinkedHashMap<>();
        p.stringPropertyNames().forEach(k -> out.put(k, p.getProperty(k).strip()));
        return out;
    }

    /** A string; empty where none is given. */
    public Optional<String> text(String name) {
        return Optional.of(given(name).value()).filter(v -> !v.isEmpty());
    }

    /** A path; empty where none is given. */
    public Optional<Path> path(String name) {
        return text(name).map(Path::of);
    }

    /** A whole number within bounds. */
    public long whole(String name, long least, long most) throws SettingException {
        Given g = given(name);
        String allowed = "a whole number from " + least + " to " + most;
        try {
            long v = Long.parseLong(g.value());
            if (v < least || v > most) {
                throw new SettingException(new BadValue(name, g.source(), g.value(), allowed));
            }
            return v;
        } catch (NumberFormatException e) {
            throw new SettingException(new BadValue(name, g.source(), g.value(), allowed), e);
        }
    }

    /** A whole number within bounds that fits an int. */
    public int count(String name, int least, int most) throws SettingException {
        return (int) whole(name, least, most);
    }

    /** Seconds, at least {@code least}. */
    public Duration seconds(String name, int least) throws SettingException {
        return Duration.ofSeconds(whole(name, least, 86_400));
    }

    /** Yes or no. */
    public boolean flag(String name) throws SettingException {
        Given g = given(name);
        return switch (g.value()) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw new SettingException(new BadValue(name, g.source(), g.value(), "true or false"));
        };
    }

    /** One of several values; {@code allowed} is said where it is none. */
    public SettingException refused(String name, String allowed) {
        Given g = given(name);
        return new SettingException(new BadValue(name, g.source(), g.setting().secret() ? "…" : g.value(), allowed));
    }

    /** The parts of a list separated by commas. */
    public List<String> list(String name) {
        return Stream.of(given(name).value().split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
    }

    /** A line a setting: name, value, source; secrets are masked. */
    public List<String> lines() {
        List<String> out = new ArrayList<>();
        values.forEach((name, g) -> {
            String shown = g.value().isEmpty() ? "-" : g.setting().secret() ? "***" : g.value();
            out.add(String.format("%-22s %-28s %s", name, shown, g.source()));
        });
        return out;
    }

    private Given given(String name) {
        Given g = values.get(name);
        if (g == null) {
            throw new IllegalArgumentException("no setting " + name);
        }
        return g;
    }
}
