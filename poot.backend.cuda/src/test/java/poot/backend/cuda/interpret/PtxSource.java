package poot.backend.cuda.interpret;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A module as text, read line by line.
 *
 * @param capability the target's: sm_75 is 75
 * @param entry the name of its one entry
 * @param params in order
 * @param threads of a block, as the entry requires
 * @param sharedBytes declared shared memory, -1 where the launch says how much
 * @param registers how many of each prefix
 * @param lines instructions
 * @param labels the line each stands before
 */
record PtxSource(int capability, String entry, List<Param> params, int threads, int sharedBytes, Map<String, Integer> registers,
        List<Line> lines, Map<String, Integer> labels) {
    private static final Pattern ENTRY = Pattern.compile("\\.visible \\.entry (\\w+)\\((.*)\\)");
    private static final Pattern PARAM = Pattern.compile("\\.param \\.(u64|u32|s32|f32) (\\w+)");
    private static final Pattern SHARED = Pattern.compile("(\\.extern )?\\.shared \\.align 16 \\.b8 shared\\[(\\d*)];");
    private static final Pattern REGISTERS = Pattern.compile("\\.reg \\.\\w+ (%\\w+)<(\\d+)>;");

    /** A parameter: where it lies among all, and how long it is. */
    record Param(String name, int offset, int bytes) {}

    /**
     * An instruction.
     *
     * @param guard the predicate it runs under, or null; {@code !%p} where it must not hold
     * @param op its parts: {@code add.rn.f32} is three
     */
    record Line(int number, String text, String guard, List<String> op, List<String> operands) {
        PtxFault fault(String why) {
            return new PtxFault("line " + number + ", " + text + ": " + why);
        }
    }

    /** Reads a module. */
    static PtxSource read(String text) {
        Map<String, Integer> registers = new HashMap<>();
        Map<String, Integer> labels = new HashMap<>();
        List<Line> lines = new ArrayList<>();
        List<Param> params = new ArrayList<>();
        String entry = null;
        int capability = 0;
        int threads = 0;
        int shared = 0;
        int number = 0;
        for (String raw : text.split("\n")) {
            String line = raw.strip();
            number++;
            Matcher m;
            if (line.isEmpty() || line.startsWith(".version") || line.startsWith(".address_size") || line.startsWith(".minnctapersm")
                    || line.equals("{") || line.equals("}")) {
                continue;
            } else if (line.startsWith(".target sm_")) {
                capability = Integer.parseInt(line.substring(".target sm_".length()));
            } else if ((m = ENTRY.matcher(line)).matches()) {
                entry = m.group(1);
                params(m.group(2), params);
            } else if ((m = SHARED.matcher(line)).matches()) {
                shared = m.group(1) == null ? Integer.parseInt(m.group(2)) : -1;
            } else if ((m = REGISTERS.matcher(line)).matches()) {
                registers.put(m.group(1), Integer.parseInt(m.group(2)));
            } else if (line.startsWith(".reqntid ")) {
                threads = Integer.parseInt(line.substring(".reqntid ".length()).split(",")[0]);
            } else if (line.endsWith(":")) {
                labels.put(line.substring(0, line.length() - 1), lines.size());
            } else if (line.endsWith(";")) {
                lines.add(instruction(number, line.substring(0, line.length() - 1)));
            } else {
                throw new PtxFault("line " + number + ": " + line + " is not known");
            }
        }
        return new PtxSource(capability, entry, params, threads, shared, registers, lines, labels);
    }

    private static void params(String list, List<Param> params) {
        int offset = 0;
        Matcher p = PARAM.matcher(list);
        while (p.find()) {
            int bytes = p.group(1).equals("u64") ? 8 : 4;
            offset = (offset + bytes - 1) & -bytes;
            params.add(new Param(p.group(2), offset, bytes));
            offset += bytes;
        }
    }

    private static Line instruction(int number, String text) {
        String guard = null;
        String rest = text;
        if (text.startsWith("@")) {
            int space = text.indexOf('\t') < 0 ? text.indexOf(' ') : text.indexOf('\t');
            guard = text.substring(1, space);
            rest = text.substring(space).strip();
        }
        int space = rest.indexOf(' ');
        String op = space < 0 ? rest : rest.substring(0, space);
        return new Line(number, text, guard, List.of(op.split("\\.")), space < 0 ? List.of() : operands(rest.substring(space + 1)));
    }

    /** Operands between commas; braces hold several. */
    private static List<String> operands(String text) {
        List<String> out = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ',' && depth == 0) {
                out.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        return out;
    }
}
