package poot.serve.command;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Token ids as the command line spells them. */
final class TokenIds {
    private TokenIds() {}

    /** Ids separated by commas or blanks. */
    static int[] parse(String option, String text) throws CommandFailure {
        String[] parts = text.strip().split("[,\\s]+");
        int[] ids = new int[parts.length];
        for (int i = 0; i < ids.length; i++) {
            try {
                ids[i] = Integer.parseInt(parts[i]);
            } catch (NumberFormatException e) {
                throw new CommandFailure(option + ": \"" + parts[i] + "\" is not a token id; give ids as 1,2,3");
            }
        }
        return ids;
    }

    /** Ids separated by spaces. */
    static String show(int[] ids) {
        return Arrays.stream(ids).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }
}
