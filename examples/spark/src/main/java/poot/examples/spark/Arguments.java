package poot.examples.spark;

import java.util.Iterator;
import java.util.List;

/**
 * The command line.
 *
 * @param input      what Spark reads: a file, a folder or a pattern, local or {@code hdfs:}, {@code s3a:} …
 * @param output     a folder that does not exist yet
 * @param partitions pieces the input is cut into at least; 0 leaves it to Spark
 * @param settings   what to do with each line
 */
record Arguments(String input, String output, int partitions, Settings settings) {
    static final String USAGE = """
            Usage: SparkPrompts INPUT OUTPUT [--jsonl] [--model PATH] [--tokens N] [--rows N] [--capacity N]
                                [--in-flight N] [--threads N] [--partitions N]""";

    /** @throws IllegalArgumentException that names the argument and says what is taken */
    static Arguments parse(List<String> args) {
        if (args.size() < 2 || args.get(0).startsWith("--") || args.get(1).startsWith("--")) {
            throw new IllegalArgumentException(USAGE);
        }
        Settings settings = Settings.DEFAULT;
        int partitions = 0;
        int inFlight = 0;
        Iterator<String> rest = args.subList(2, args.size()).iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--jsonl" -> settings = settings.withJsonLines(true);
                case "--model" -> settings = settings.withModel(value(option, rest));
                case "--tokens" -> settings = settings.withTokens(number(option, rest));
                case "--rows" -> settings = settings.withRows(number(option, rest));
                case "--capacity" -> settings = settings.withCapacity(number(option, rest));
                case "--in-flight" -> inFlight = number(option, rest);
                case "--threads" -> settings = settings.withThreads(number(option, rest));
                case "--partitions" -> partitions = number(option, rest);
                default -> throw new IllegalArgumentException("unknown argument " + option + "\n" + USAGE);
            }
        }
        if (partitions < 0) {
            throw new IllegalArgumentException("--partitions " + partitions + ": give 0 or more");
        }
        return new Arguments(args.get(0), args.get(1), partitions,
                settings.withInFlight(inFlight == 0 ? 2 * settings.rows() : inFlight));
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
        }
        return rest.next();
    }

    private static int number(String option, Iterator<String> rest) {
        String value = value(option, rest);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + value + ": give a whole number", e);
        }
    }
}
