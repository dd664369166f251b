package poot.core.text.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Sets of code points hold what their test says, code point by code point. */
class CodeSetTest {
    @Test
    void aSetHoldsWhatItsTestSays() {
        same("p{L}", Properties.named("L"), Character::isLetter);
        same("p{N}", Properties.named("N"), c -> Properties.category(c).startsWith("n"));
        same("p{Cn}", Properties.named("Cn"), c -> Character.getType(c) == Character.UNASSIGNED);
        same("p{Co}", Properties.named("Co"), c -> Character.getType(c) == Character.PRIVATE_USE);
        same("p{C}", Properties.named("Other"), c -> Properties.category(c).startsWith("c"));
        same("s", Properties.whiteSpace(), Properties::isWhiteSpace);
        same("d", Properties.digit(), Character::isDigit);
        same("p{Han}", Properties.named("Han"), c -> Character.UnicodeScript.of(c) == Character.UnicodeScript.HAN);
        same("p{Unknown}", Properties.named("Unknown"), c -> Character.UnicodeScript.of(c) == Character.UnicodeScript.UNKNOWN);
        same("p{Emoji}", Properties.named("emoji"), Character::isEmoji);
    }

    @Test
    void rangesSaidToBeAlikeAre() {
        for (int i = 0; i < CodeSet.ALIKE.length; i += 2) {
            for (int c = CodeSet.ALIKE[i]; c <= CodeSet.ALIKE[i + 1]; c++) {
                int first = CodeSet.ALIKE[i];
                assertEquals(Character.getType(first), Character.getType(c), Integer.toHexString(c));
                assertEquals(Character.UnicodeScript.of(first), Character.UnicodeScript.of(c), Integer.toHexString(c));
            }
        }
    }

    private static void same(String name, CodeSet set, IntPredicate test) {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (set.contains(c) != test.test(c)) {
                throw new AssertionError(name + " and U+" + Integer.toHexString(c) + ": " + set.contains(c));
            }
        }
    }
}
