package poot.backend.cuda.interpret;

import java.util.Arrays;
import java.util.List;

/** Operands of instructions: registers by number, or what a literal is for every lane. */
final class Operands {
    private Operands() {}

    /** The lanes of a word. */
    interface Words {
        int[] of(Warp w);
    }

    /** The lanes of an F32. */
    interface Floats {
        float[] of(Warp w);
    }

    /** The lanes of an address. */
    interface Longs {
        long[] of(Warp w);
    }

    /** The number of a register of the given prefix. */
    static int number(PtxSource.Line line, String text, String prefix) {
        if (!text.startsWith(prefix) || text.length() == prefix.length() || !Character.isDigit(text.charAt(prefix.length()))) {
            throw line.fault(text + " is no register " + prefix);
        }
        return Integer.parseInt(text.substring(prefix.length()));
    }

    static Words words(PtxSource.Line line, String text) {
        if (text.startsWith("%")) {
            int at = number(line, text, "%r");
            return w -> w.words[at];
        }
        int[] all = new int[Warp.LANES];
        Arrays.fill(all, text.startsWith("0x") ? Integer.parseUnsignedInt(text.substring(2), 16) : (int) Long.parseLong(text));
        return w -> all;
    }

    static Floats floats(PtxSource.Line line, String text) {
        if (text.startsWith("%")) {
            int at = number(line, text, "%f");
            return w -> w.floats[at];
        }
        if (!text.startsWith("0f")) {
            throw line.fault(text + " is no literal of f32");
        }
        float[] all = new float[Warp.LANES];
        Arrays.fill(all, Float.intBitsToFloat(Integer.parseUnsignedInt(text.substring(2), 16)));
        return w -> all;
    }

    static Longs longs(PtxSource.Line line, String text) {
        if (text.startsWith("%")) {
            int at = number(line, text, "%rd");
            return w -> w.addresses[at];
        }
        long[] all = new long[Warp.LANES];
        Arrays.fill(all, Long.parseLong(text));
        return w -> all;
    }

    /** What stands between braces, or the one operand itself. */
    static List<String> group(String text) {
        return text.startsWith("{") ? Arrays.stream(text.substring(1, text.length() - 1).split(",")).map(String::strip).toList() : List.of(text);
    }
}
