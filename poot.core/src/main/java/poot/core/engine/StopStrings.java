package poot.core.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Strings that end a reply, looked for char by char in one pass however many they are: an automaton whose state is the
 * longest beginning of any of them that ends the text so far (Aho and Corasick, 1975). The first to be complete ends the
 * reply; of several that are complete at once, the longest. Immutable.
 */
public final class StopStrings {
    /** Strings at most. */
    public static final int MOST = 64;
    /** Chars of one at most. */
    public static final int LONGEST = 1024;
    /** None. */
    public static final StopStrings NONE = new StopStrings(List.of());

    /** The state before any char. */
    static final int START = 0;

    private final List<String> strings;
    private final List<Map<Character, Integer>> next = new ArrayList<>();
    private final int[] shorter;
    private final int[] depth;
    private final int[] match;

    private StopStrings(List<String> strings) {
        this.strings = List.copyOf(strings);
        int states = 1 + strings.stream().mapToInt(String::length).sum();
        this.shorter = new int[states];
        this.depth = new int[states];
        this.match = new int[states];
        Arrays.fill(match, -1);
        next.add(new HashMap<>());
        for (int i = 0; i < strings.size(); i++) {
            add(i, strings.get(i));
        }
        link();
    }

    /**
     * Stop strings; an empty list is none.
     *
     * @throws StopException if there are more than {@link #MOST}, or one is empty, longer than {@link #LONGEST} or no text
     */
    public static StopStrings of(List<String> strings) throws StopException {
        if (strings.size() > MOST) {
            throw new StopException(new StopFault.TooMany(strings.size(), MOST));
        }
        for (int i = 0; i < strings.size(); i++) {
            int chars = strings.get(i).length();
            if (chars == 0) {
                throw new StopException(new StopFault.Empty(i));
            }
            if (chars > LONGEST) {
                throw new StopException(new StopFault.TooLong(i, chars, LONGEST));
            }
            if (strings.get(i).codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
                throw new StopException(new StopFault.Malformed(i));
            }
        }
        return strings.isEmpty() ? NONE : new StopStrings(strings);
    }

    /** The strings. */
    public List<String> strings() {
        return strings;
    }

    private void add(int index, String string) {
        int state = START;
        for (char c : string.toCharArray()) {
            Integer to = next.get(state).get(c);
            if (to == null) {
                to = next.size();
                next.get(state).put(c, to);
                next.add(new HashMap<>());
                depth[to] = depth[state] + 1;
            }
            state = to;
        }
        match[state] = match[state] < 0 ? index : match[state];
    }

    /** Links each state to the longest shorter one that ends it, by rising depth, and hands matches on along the links. */
    private void link() {
        List<Integer> order = new ArrayList<>(List.of(START));
        for (int i = 0; i < order.size(); i++) {
            int from = order.get(i);
            next.get(from).forEach((c, to) -> {
                shorter[to] = from == START ? START : next(shorter[from], c);
                match[to] = match[to] >= 0 ? match[to] : match[shorter[to]];
                order.add(to);
            });
        }
    }

    /** The state after one more char; amortised constant time. */
    int next(int state, char c) {
        int s = state;
        while (true) {
            Integer to = next.get(s).get(c);
            if (to != null) {
                return to;
            }
            if (s == START) {
                return START;
            }
            s = shorter[s];
        }
    }

    /** How many of the last chars may begin a stop string. */
    int held(int state) {
        return depth[state];
    }

    /** The index of the longest stop string that is complete; -1 where none is. */
    int match(int state) {
        return match[state];
    }
}
