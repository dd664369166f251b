package poot.backend.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import poot.backend.cuda.driver.TestDriver;
import poot.backend.cuda.ptx.PtxEmitter;
import poot.backend.cuda.ptx.PtxTarget;
import poot.core.kernel.ir.DeviceKernel;

/** NVIDIA's assembler, where this machine has it: many kernels in one run. */
public final class Assembler {
    private static final Pattern COMPILING = Pattern.compile("Compiling entry function '(\\w+)'");
    private static final Pattern SPILLS = Pattern.compile("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
    private static final Pattern USED = Pattern.compile("Used (\\d+) registers");
    private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");

    private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\(");
    private static final String HEADER_END = ".address_size 64\n";

    private Assembler() {}

    /** What a kernel takes: registers of a thread, bytes it spills, bytes of shared memory a workgroup. */
    public record Usage(int registers, int spilled, int shared) {}

    /** The assembler, where it is installed. */
    public static Optional<Path> find() {
        for (String folder : List.of("/usr/local/bin", "/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/bin")) {
            Path p = Path.of(folder, "ptxas");
            if (Files.isExecutable(p)) {
                return Optional.of(p);
            }
        }
        return Optional.empty();
    }

    /** Assembles kernels for a target. */
    public static Map<String, Usage> assemble(List<DeviceKernel> kernels, PtxTarget target) throws IOException {
        return assemble(kernels.stream().map(k -> PtxEmitter.emit(k, target)).toList(), target.capability());
    }

    /**
     * Assembles modules for one target as one.
     *
     * @return by the names of their entries, with a number where names are the same
     */
    public static Map<String, Usage> assemble(Collection<String> modules, int capability) throws IOException {
        StringBuilder text = new StringBuilder();
        Set<String> names = new HashSet<>();
        int i = 0;
        for (String one : modules) {
            int body = one.indexOf(HEADER_END) + HEADER_END.length();
            text.append(i == 0 ? one.substring(0, body) : "");
            text.append(renamed(one.substring(body), i++, names));
        }
        Path file = Files.createTempFile("poot-", ".ptx");
        Path out = Files.createTempFile("poot-", ".cubin");
        try {
            Files.writeString(file, text);
            return usages(TestDriver.run(List.of(find().orElseThrow().toString(), "-v", "-O3", "--gpu-name", "sm_" + capability, "-o", out.toString(),
                    file.toString())));
        } finally {
            Files.delete(file);
            Files.delete(out);
        }
    }

    /** A module's names made its own. */
    private static String renamed(String body, int number, Set<String> names) {
        Matcher m = ENTRY.matcher(body);
        String out = body.replaceAll("\\bshared\\[", "shared" + number + "[").replaceAll("\\bshared;", "shared" + number + ";")
                .replaceAll("\\[shared\\b", "[shared" + number);
        return m.find() && names.add(m.group(1)) ? out : ENTRY.matcher(out).replaceFirst(".entry $1_" + number + "(");
    }

    /** Writes what kernels take, a line each, where builds leave their reports. */
    public static void report(String name, Map<String, Usage> usages) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "ptxas"));
        Files.write(folder.resolve(name + ".tsv"), usages.entrySet().stream().map(e -> e.getKey() + "\t" + e.getValue().registers() + "\t"
                + e.getValue().spilled() + "\t" + e.getValue().shared()).toList());
    }

    private static Map<String, Usage> usages(String log) {
        Map<String, Usage> out = new LinkedHashMap<>();
        String entry = null;
        int spilled = 0;
        for (String line : log.split("\n")) {
            Matcher m;
            if ((m = COMPILING.matcher(line)).find()) {
                entry = m.group(1);
            } else if ((m = SPILLS.matcher(line)).find()) {
                spilled = Integer.parseInt(m.group(2)) + Integer.parseInt(m.group(3));
            } else if ((m = USED.matcher(line)).find() && entry != null) {
                Matcher s = SHARED.matcher(line);
                out.put(entry, new Usage(Integer.parseInt(m.group(1)), spilled, s.find() ? Integer.parseInt(s.group(1)) : 0));
            }
        }
        return out;
    }
}
