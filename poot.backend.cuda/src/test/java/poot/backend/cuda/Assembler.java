package poot.backend.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import poot.backend.cuda.driver.TestDriver;
import poot.backend.cuda.ptx.PtxEmitter;
import poot.backend.cuda.ptx.PtxTarget;
import poot.core.kernel.ir.DeviceKernel;

/** NVIDIA's assembler, where this machine has it: many kernels in one run. */
final class Assembler {
    private static final Pattern COMPILING = Pattern.compile("Compiling entry function '(\\w+)'");
    private static final Pattern SPILLS = Pattern.compile("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
    private static final Pattern USED = Pattern.compile("Used (\\d+) registers");
    private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");

    private Assembler() {}

    /** What a kernel takes: registers of a thread, bytes it spills, bytes of shared memory a workgroup. */
    record Usage(int registers, int spilled, int shared) {}

    /** The assembler, or null. */
    static Path find() {
        for (String folder : List.of("/usr/local/bin", "/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/bin")) {
            Path p = Path.of(folder, "ptxas");
            if (Files.isExecutable(p)) {
                return p;
            }
        }
        return null;
    }

    /** Assembles kernels, by names that differ, for a target. */
    static Map<String, Usage> assemble(List<DeviceKernel> kernels, PtxTarget target) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < kernels.size(); i++) {
            String one = PtxEmitter.emit(kernels.get(i), target);
            int body = one.indexOf(".address_size 64\n") + ".address_size 64\n".length();
            text.append(i == 0 ? one.substring(0, body) : "");
            text.append(one.substring(body).replaceAll("\\bshared\\[", "shared" + i + "[").replaceAll("\\bshared;", "shared" + i + ";")
                    .replaceAll("\\[shared\\b", "[shared" + i));
        }
        Path file = Files.createTempFile("poot-", ".ptx");
        Path out = Files.createTempFile("poot-", ".cubin");
        try {
            Files.writeString(file, text);
            String log = TestDriver.run(new ArrayList<>(List.of(find().toString(), "-v", "-O3", "--gpu-name", "sm_" + target.capability(),
                    "-o", out.toString(), file.toString())));
            return usages(log);
        } finally {
            Files.delete(file);
            Files.delete(out);
        }
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
