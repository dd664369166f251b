package poot.core.text.regex;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/** Unicode properties by the names patterns use, and simple case folding. Sets are computed once, on demand. */
public final class Properties {
    private static final Map<String, CodeSet> KNOWN = new ConcurrentHashMap<>();
    private static final Map<String, String> LONG_NAMES = Map.ofEntries(
            Map.entry("letter", "l"), Map.entry("uppercaseletter", "lu"), Map.entry("lowercaseletter", "ll"),
            Map.entry("titlecaseletter", "lt"), Map.entry("modifierletter", "lm"), Map.entry("otherletter", "lo"),
            Map.entry("mark", "m"), Map.entry("nonspacingmark", "mn"), Map.entry("spacingmark", "mc"),
            Map.entry("enclosingmark", "me"), Map.entry("number", "n"), Map.entry("decimalnumber", "nd"),
            Map.entry("letternumber", "nl"), Map.entry("othernumber", "no"), Map.entry("punctuation", "p"),
            Map.entry("symbol", "s"), Map.entry("separator", "z"), Map.entry("other", "c"),
            Map.entry("control", "cc"), Map.entry("format", "cf"));
    private static final String[] CATEGORIES = {
        "cn", "lu", "ll", "lt", "lm", "lo", "mn", "me", "mc", "nd", "nl", "no", "zs", "zl", "zp", "cc", "cf", "",
        "co", "cs", "pd", "ps", "pe", "pc", "po", "sm", "sc", "sk", "so", "pi", "pf"};

    private Properties() {
    }

    /** The White_Space property: what {@code \s} matches. */
    public static CodeSet whiteSpace() {
        return KNOWN.computeIfAbsent("\\s", k -> CodeSet.where(Properties::isWhiteSpace));
    }

    /** Decimal digits: what {@code \d} matches. */
    public static CodeSet digit() {
        return KNOWN.computeIfAbsent("\\d", k -> CodeSet.where(Character::isDigit));
    }

    /** Alphabetic, marks, digits, connectors, and Latin-1's superscripts and fractions: Oniguruma's {@code \w}. */
    public static CodeSet word() {
        return KNOWN.computeIfAbsent("\\w", k -> CodeSet.where(Properties::isPatternWord));
    }

    /** True for the code points of the White_Space property. */
    public static boolean isWhiteSpace(int c) {
        return c <= 0x20 ? c == ' ' || c >= 9 && c <= 13
                : c == 0x85 || c == 0xA0 || c == 0x1680 || c >= 0x2000 && c <= 0x200A || c == 0x2028 || c == 0x2029
                        || c == 0x202F || c == 0x205F || c == 0x3000;
    }

    private static boolean isPatternWord(int c) {
        String cat = category(c);
        boolean latin1 = c == 0xB2 || c == 0xB3 || c == 0xB9 || c >= 0xBC && c <= 0xBE;
        return Character.isAlphabetic(c) || cat.startsWith("m") || cat.equals("nd") || cat.equals("pc") || latin1;
    }

    /** A word character as Unicode Technical Standard 18 has it: alphabetic, mark, digit, connector, join control. */
    public static boolean isWord(int c) {
        String cat = category(c);
        return Character.isAlphabetic(c) || cat.startsWith("m") || cat.equals("nd") || cat.equals("pc")
                || c == 0x200C || c == 0x200D;
    }

    /** The two-letter general category of a code point, in lower case. */
    public static String category(int c) {
        return CATEGORIES[Character.getType(c)];
    }

    /** The set a property name stands for, or null where the name is unknown; case, spaces, - and _ do not count. */
    static CodeSet named(String name) {
        String key = name.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
        String canonical = LONG_NAMES.getOrDefault(key, key);
        CodeSet known = KNOWN.get(canonical);
        if (known != null) {
            return known;
        }
        IntPredicate test = predicate(canonical, name);
        return test == null ? null : KNOWN.computeIfAbsent(canonical, k -> CodeSet.where(test));
    }

    private static IntPredicate predicate(String key, String name) {
        int categories = key.isEmpty() || key.length() > 2 ? 0 : categories(key);
        if (categories != 0) {
            return c -> (categories >>> Character.getType(c) & 1) != 0;
        }
        return switch (key) {
            case "any" -> c -> true;
            case "alphabetic", "alpha" -> Character::isAlphabetic;
            case "whitespace", "space" -> Properties::isWhiteSpace;
            case "digit" -> Character::isDigit;
            case "alnum" -> c -> Character.isAlphabetic(c) || Character.isDigit(c);
            case "uppercase", "upper" -> Character::isUpperCase;
            case "lowercase", "lower" -> Character::isLowerCase;
            case "punct" -> c -> category(c).startsWith("p") || c < 128 && category(c).startsWith("s");
            case "cntrl" -> c -> category(c).equals("cc");
            case "blank" -> c -> c == '\t' || category(c).equals("zs");
            case "xdigit" -> c -> c < 128 && Character.digit(c, 16) >= 0;
            case "word" -> Properties::isPatternWord;
            case "ascii" -> c -> c < 128;
            case "emoji" -> Character::isEmoji;
            default -> script(name);
        };
    }

    /** The categories that a prefix names: bit i for the type i of {@link Character#getType(int)}. */
    private static int categories(String prefix) {
        int all = 0;
        for (int type = 0; type < CATEGORIES.length; type++) {
            if (!CATEGORIES[type].isEmpty() && CATEGORIES[type].startsWith(prefix)) {
                all |= 1 << type;
            }
        }
        return all;
    }

    private static IntPredicate script(String name) {
        for (Character.UnicodeScript script : Character.UnicodeScript.values()) {
            if (script.name().replace("_", "").equalsIgnoreCase(name.replaceAll("[ _-]", ""))) {
                return c -> Character.UnicodeScript.of(c) == script;
            }
        }
        return null;
    }

    /** The set and everything that differs from a member by case alone. */
    static CodeSet foldCase(CodeSet set) {
        BitSet additions = new BitSet();
        for (int[] variants : CaseVariants.CLASSES) {
            boolean some = false;
            boolean all = true;
            for (int v : variants) {
                boolean in = set.contains(v);
                some |= in;
                all &= in;
            }
            if (some && !all) {
                for (int v : variants) {
                    additions.set(v);
                }
            }
        }
        return set.union(CodeSet.of(additions));
    }

    /** Sets of code points that are one letter but for case; computed once, when first needed. */
    private static final class CaseVariants {
        static final List<int[]> CLASSES = classes();

        private static List<int[]> classes() {
            Map<Integer, List<Integer>> byFold = new HashMap<>();
            for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
                int fold = Character.toLowerCase(Character.toUpperCase(c));
                if (fold != c || Character.toUpperCase(c) != c) {
                    byFold.computeIfAbsent(fold, k -> new ArrayList<>()).add(c);
                }
            }
            List<int[]> out = new ArrayList<>();
            byFold.forEach((fold, members) -> {
                if (!members.contains(fold)) {
                    members.add(fold);
                }
                if (members.size() > 1) {
                    out.add(members.stream().mapToInt(Integer::intValue).toArray());
                }
            });
            return List.copyOf(out);
        }
    }
}
