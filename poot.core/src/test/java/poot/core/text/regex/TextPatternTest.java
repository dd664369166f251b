package poot.core.text.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextPatternTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "a+b~xaabab~[aab, ab]", "(?:a|ab)(?:c|bcd)~abcd~[abcd]", "a*?b~aab~[aab]", "a{2,3}~aaaaa~[aaa, aa]",
        "a++a~aaa~[]", "(?>a+)b~aab~[aab]", "(?i:ab)c~ABc abC~[ABc]", "[^a-c]+~abcdef~[def]", "[a-z&&[^m-z]]+~almz~[al]",
        "x(?=y)~xyxz~[x]", "x(?!y)~xyxz~[x]", "(?<=a)b~abcb~[b]", "(?<!a)b~abcb~[b]", "\\p{Lu}\\p{Ll}+~Hello World~[Hello, World]",
        "\\d{1,3}(?=(?:\\d{3})*\\b)~1234567~[1, 234, 567]", "(a|b|ab)*c~ababc~[ababc]", "(?:a*)*b~aaab~[aaab]",
        "a|b|~ab~[a, b]", "[]a]+~]a~[]a]", "[a-]+~a-b~[a-]", "a{,2}~aaa~[aa, a]", "a{x~a{x~[a{x]"})
    void matchesAsWritten(String pattern, String text, String expected) throws Exception {
        assertEquals(expected, matches(pattern, text).toString());
    }

    /** Random patterns over a small alphabet agree with the platform's engine. */
    @Test
    void agreesWithThePlatform() throws Exception {
        Random random = new Random(11);
        for (int i = 0; i < 8_000; i++) {
            String pattern = pattern(random, 3);
            String text = random.ints(random.nextInt(14), 'a', 'e').mapToObj(Character::toString).reduce("", String::concat);
            List<String> expected = new ArrayList<>();
            Matcher m = Pattern.compile(pattern).matcher(text);
            int last = -1;
            while (m.find()) {
                if (m.start() != m.end() || m.end() != last) {
                    expected.add(m.group());
                }
                last = m.end();
            }
            assertEquals(expected, matches(pattern, text), () -> pattern + " on " + text);
        }
    }

    /** Patterns long texts force into remembering failures still agree with the platform's engine. */
    @Test
    void agreesWhereItRemembers() throws Exception {
        Random random = new Random(5);
        String[] patterns = {"a*b|a", "(?:a|b)*c|ab", "a+b?a+c|a", "(?:ab?)+c|b|a{2,3}?b", "(?:a+?b|a)*d|a*+c|b", "(?>a|ab)*c|a|b"};
        for (String pattern : patterns) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 3000; i++) {
                text.append("aaaaaaaaab".charAt(random.nextInt(10))).append(random.nextInt(700) == 0 ? "c" : "");
            }
            List<String> expected = new ArrayList<>();
            Matcher m = Pattern.compile(pattern).matcher(text);
            while (m.find()) {
                expected.add(m.group());
            }
            assertEquals(expected, matches(pattern, text.toString()), pattern);
        }
    }

    private static String pattern(Random random, int depth) {
        StringBuilder s = new StringBuilder();
        int parts = 1 + random.nextInt(3);
        for (int i = 0; i < parts; i++) {
            int kind = random.nextInt(depth > 0 ? 9 : 4);
            String body = depth > 0 ? pattern(random, depth - 1) : "";
            s.append(switch (kind) {
                case 0, 1 -> "" + (char) ('a' + random.nextInt(4));
                case 2 -> "[a" + (char) ('b' + random.nextInt(3)) + "]";
                case 3 -> "[^" + (char) ('a' + random.nextInt(4)) + "]";
                case 4 -> "(?:" + body + "|" + pattern(random, depth - 1) + ")";
                case 5 -> "(?=" + body + ")";
                case 6 -> "(?!" + body + ")";
                case 7 -> "(?>" + body + ")";
                default -> "(?:" + body + ")";
            });
            boolean zeroWidth = kind == 5 || kind == 6;
            boolean simple = kind < 4;
            String[] quantifiers = simple ? new String[] {"", "", "*", "+", "?", "*?", "+?", "??", "*+", "{1,2}", "{2}"}
                    : new String[] {"", "", "?", "??", "{1,2}"};
            s.append(zeroWidth ? "" : quantifiers[random.nextInt(quantifiers.length)]);
        }
        return s.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a*)*b", "(a|a)*b", "(a|aa)+$b", "a*a*a*a*a*b", "(?:a+)+b|a", "a*b|a", "a*+b|a", "a*?b|a", "(x+x+)+y|a",
        "(?=(a+)+b)a", "(?>(a|aa)+)b|a", "(a?){50}a{50}b", "[a-z]+[a-z]+[a-z]+!|a"})
    void hostilePatternsEndSoon(String pattern) {
        String text = "a".repeat(100_000);
        assertTimeoutPreemptively(SOON, () -> {
            try {
                matches(pattern, text);
            } catch (PatternBudgetException e) {
                assertEquals(pattern, e.pattern());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", ")", "[", "[a", "a{3,2}", "*a", "\\", "(?<n", "[z-a]", "\\p{NoSuch}", "\\k", "\\1", "(?x)a", "a{1001}",
        "(?<=ab)c", "\\x{110000}", "\\u12", "((a{100}){100}){100}", "(?P<n>a)", "[[:nosuch:]]", "\\p"})
    void refused(String pattern) {
        assertThrows(RegexException.class, () -> TextPattern.compile(pattern));
    }

    @Test
    void deepNestingIsRefused() {
        assertThrows(RegexException.class, () -> TextPattern.compile("(".repeat(1000) + ")".repeat(1000)));
        assertThrows(RegexException.class, () -> TextPattern.compile("[".repeat(100) + "a" + "]".repeat(100)));
        assertThrows(RegexException.class, () -> TextPattern.compile("a".repeat(100_000)));
    }

    private static List<String> matches(String pattern, String text) throws RegexException {
        PatternScan scan = TextPattern.compile(pattern).scan(text.toCharArray(), 0, text.length());
        List<String> out = new ArrayList<>();
        while (scan.find()) {
            out.add(text.substring(scan.start(), scan.end()));
        }
        return out;
    }
}
