package poot.core.hub;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Which file names of a repository are written to disk: relative, downward, and valid on every system. */
final class SafeName {
    private static final int LONGEST = 1000;
    private static final int LONGEST_PART = 240;
    private static final int DEEPEST = 16;
    private static final Pattern RESERVED = Pattern.compile("(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?", Pattern.CASE_INSENSITIVE);

    private SafeName() {}

    /** True if a name with forward slashes stays below the folder it is resolved in, whatever the system. */
    static boolean isSafe(String name) {
        if (name.isEmpty() || name.length() > LONGEST) {
            return false;
        }
        String[] parts = name.split("/", -1);
        if (parts.length > DEEPEST) {
            return false;
        }
        for (String part : parts) {
            if (!isPart(part)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPart(String part) {
        boolean plain = !part.isEmpty() && part.chars().noneMatch(c -> Character.isISOControl(c) || "\\:*?\"<>|".indexOf(c) >= 0
                || Character.getType(c) == Character.FORMAT);
        return plain && !part.endsWith(".") && !part.endsWith(" ") && !part.startsWith(" ")
                && StandardCharsets.UTF_8.newEncoder().canEncode(part)
                && part.getBytes(StandardCharsets.UTF_8).length <= LONGEST_PART && !RESERVED.matcher(part).matches();
    }
}
