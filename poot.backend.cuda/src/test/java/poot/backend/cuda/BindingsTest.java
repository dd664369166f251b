package poot.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import poot.backend.cuda.driver.TestDriver;

/** The generated bindings against {@code cuda.h}, where a toolkit is installed: a C compiler checks what they say. */
class BindingsTest {
    private static final Path SOURCES = Path.of("src/main/java/poot/backend/cuda/ffi");
    private static final Pattern PROTOTYPE = Pattern.compile("\\* CUresult (\\w+)\\((.*)\\)$", Pattern.MULTILINE);
    private static final Pattern CONSTANT = Pattern.compile("private static final int (\\w+) = \\(int\\)(\\d+)L;");
    private static final Pattern MEMBER = Pattern.compile("Cuda\\.(C_\\w+)\\.withName\\(\"(\\w+)\"\\)|MemoryLayout\\.paddingLayout\\((\\d+)\\)");
    private static final Pattern INCLUDE = Pattern.compile("--include-(function|struct|constant) (\\w+)");

    private static String generated() throws IOException {
        return Files.readString(SOURCES.resolve("Cuda.java"));
    }

    /** Everything listed is bound, and nothing else. */
    @Test
    void theListIsWhatIsBound() throws IOException {
        Set<String> listed = new TreeSet<>();
        Set<String> bound = new TreeSet<>();
        Matcher i = INCLUDE.matcher(Files.readString(Path.of("bindings/includes.txt")));
        while (i.find()) {
            if (!i.group(1).equals("struct")) {
                listed.add(i.group(2));
            }
        }
        Matcher p = PROTOTYPE.matcher(generated());
        while (p.find()) {
            bound.add(p.group(1));
        }
        Matcher c = CONSTANT.matcher(generated());
        while (c.find()) {
            bound.add(c.group(1));
        }
        assertEquals(listed, bound);
    }

    @Test
    void theHeaderSaysTheSame() throws IOException {
        Path header = Path.of("/usr/local/cuda/include");
        assumeTrue(TestDriver.canBuild() && Files.exists(header.resolve("cuda.h")), "no gcc or no cuda.h on this machine: bindings are not compared");
        StringBuilder c = new StringBuilder("#define __CUDA_API_VERSION_INTERNAL 1\n#include <stddef.h>\n#include <cuda.h>\n");
        int checks = 0;
        Matcher p = PROTOTYPE.matcher(generated());
        Set<String> seen = new TreeSet<>();
        while (p.find()) {
            if (seen.add(p.group(1))) {
                c.append("CUresult (*check_").append(p.group(1)).append(")(").append(p.group(2)).append(") = ").append(p.group(1)).append(";\n");
                checks++;
            }
        }
        Matcher k = CONSTANT.matcher(generated());
        while (k.find()) {
            c.append("_Static_assert(").append(k.group(1)).append(" == ").append(k.group(2)).append(", \"").append(k.group(1)).append("\");\n");
            checks++;
        }
        for (String struct : List.of("CUDA_KERNEL_NODE_PARAMS_v2_st", "CUDA_MEMCPY3D_st", "CUDA_MEMSET_NODE_PARAMS_st")) {
            checks += struct(struct, c);
        }
        assertTrue(checks > 100, checks + " checks");
        Path source = Files.createTempFile("poot-", ".c");
        try {
            Files.writeString(source, c);
            TestDriver.run(new ArrayList<>(List.of("/usr/bin/gcc", "-std=c11", "-fsyntax-only", "-Werror=incompatible-pointer-types", "-I", header.toString(),
                    source.toString())));
        } finally {
            Files.delete(source);
        }
    }

    /** Where each member of a struct lies, and how long it is. */
    private static int struct(String name, StringBuilder c) throws IOException {
        String layout = Files.readString(SOURCES.resolve(name + ".java"));
        Matcher m = MEMBER.matcher(layout.substring(layout.indexOf("structLayout("), layout.indexOf("withName(\"" + name)));
        long offset = 0;
        int checks = 0;
        while (m.find()) {
            if (m.group(3) != null) {
                offset += Long.parseLong(m.group(3));
                continue;
            }
            long bytes = m.group(1).equals("C_INT") ? 4 : 8;
            c.append("_Static_assert(offsetof(struct ").append(name).append(", ").append(m.group(2)).append(") == ").append(offset).append(", \"\");\n")
                    .append("_Static_assert(sizeof ((struct ").append(name).append(" *) 0)->").append(m.group(2)).append(" == ").append(bytes).append(", \"\");\n");
            offset += bytes;
            checks++;
        }
        c.append("_Static_assert(sizeof(struct ").append(name).append(") == ").append(offset).append(", \"\");\n");
        return checks + 1;
    }
}
