package poot.serve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The machine a measurement was made on.
 *
 * @param processor  its model, as the system names it
 * @param processors hardware threads this process may run on
 * @param cores      physical cores of them, where the system tells
 * @param memory     bytes of memory, 0 where the system does not tell
 * @param load       processes that ran or waited to run on average in the last minute, -1 where the system does not tell;
 *                   what else the machine was doing when it was described
 * @param system     operating system and architecture
 * @param java       the Java runtime
 */
public record MachineDescription(String processor, int processors, int cores, long memory, double load, String system, String java) {
    private static final Path PROC = Path.of("/proc");

    /** This machine. */
    public static MachineDescription here() {
        int available = Runtime.getRuntime().availableProcessors();
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        String java = System.getProperty("java.vm.name") + " " + Runtime.version();
        String model = "(unknown)";
        long memory = 0;
        double load = -1;
        Set<String> cores = new HashSet<>();
        try {
            String socket = "";
            for (String line : lines("cpuinfo")) {
                String value = line.substring(line.indexOf(':') + 1).strip();
                if (line.startsWith("model name")) {
                    model = value;
                } else if (line.startsWith("physical id")) {
                    socket = value;
                } else if (line.startsWith("core id")) {
                    cores.add(socket + "/" + value);
                }
            }
            for (String line : lines("meminfo")) {
                if (line.startsWith("MemTotal:")) {
                    memory = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
            for (String line : lines("loadavg")) {
                load = Double.parseDouble(line.split(" ")[0]);
            }
        } catch (IOException e) {
            return new MachineDescription(model, available, available, memory, load, system, java); // not Linux
        }
        return new MachineDescription(model, available, cores.isEmpty() ? available : Math.min(available, cores.size()),
                memory, load, system, java);
    }

    private static Iterable<String> lines(String file) throws IOException {
        try (Stream<String> all = Files.lines(PROC.resolve(file))) {
            return all.toList();
        }
    }
}
