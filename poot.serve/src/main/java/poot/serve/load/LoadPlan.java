package poot.serve.load;

import java.util.List;
import java.util.SplittableRandom;

/**
 * What is asked of every target.
 *
 * @param targets servers, each taking its turn in every round
 * @param streams numbers of streams at once, one measurement each
 * @param request what each stream asks
 * @param rounds  measured rounds; figures are over all of them
 */
public record LoadPlan(List<LoadTarget> targets, List<Integer> streams, Request request, int rounds) {
    /** Ids below are often special or single bytes. */
    private static final int FIRST_ID = 1000;

    /**
     * What a stream asks: a prompt of random ids, continued greedily.
     *
     * @param prompt     tokens of the prompt
     * @param shared     of these, how many at its beginning are the same in all prompts
     * @param output     tokens asked for
     * @param vocabulary ids are drawn from [1000, vocabulary)
     * @param seconds    after which a stream is given up
     */
    public record Request(int prompt, int shared, int output, int vocabulary, int seconds) {}

    public LoadPlan {
        targets = List.copyOf(targets);
        streams = List.copyOf(streams);
    }

    /** Checks the numbers, naming what is out of its range. */
    public LoadPlan checked() throws LoadException {
        require(!targets.isEmpty(), "give at least one --target NAME=URL");
        require(streams.stream().allMatch(n -> n >= 1 && n <= 4096), "--streams must be from 1 to 4096");
        require(request.prompt >= 1 && request.output >= 1, "--prompt and --output must be positive");
        require(request.shared >= 0 && request.shared <= request.prompt, "--shared must be from 0 to --prompt");
        require(request.vocabulary > FIRST_ID, "--vocabulary must be above " + FIRST_ID);
        require(rounds >= 1 && request.seconds >= 1, "--repeat and --limit must be positive");
        return this;
    }

    private static void require(boolean holds, String message) throws LoadException {
        if (!holds) {
            throw new LoadException(message);
        }
    }

    /** The prompt of a stream of a round: the same for every target, another for every stream, round and number of streams. */
    int[] prompt(int together, int round, int stream) {
        SplittableRandom shared = new SplittableRandom(1);
        SplittableRandom own = new SplittableRandom(((long) together << 40) ^ ((long) round << 20) ^ stream);
        int[] ids = new int[request.prompt];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (i < request.shared ? shared : own).nextInt(FIRST_ID, request.vocabulary);
        }
        return ids;
    }
}
