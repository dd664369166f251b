package poot.examples.spark;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.TaskCompletionListener;

/** Answers a file of prompts, one a line, with a model on every executor; writes a line of JSON for each, in order. */
public final class SparkPrompts {
    private SparkPrompts() {}

    /** Runs the job that the {@linkplain Arguments arguments} describe, where the Spark configuration says. */
    public static void main(String[] args) {
        Arguments a = Arguments.parse(List.of(args));
        SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "poot prompts");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaRDD<String> lines = a.partitions() == 0 ? spark.textFile(a.input()) : spark.textFile(a.input(), a.partitions());
            answers(lines, a.settings()).saveAsTextFile(a.output());
        }
    }

    /** The answered line of every line that is not blank. */
    static JavaRDD<String> answers(JavaRDD<String> lines, Settings settings) {
        return lines.filter(line -> !line.isBlank()).mapPartitions(partition -> answered(partition, settings));
    }

    private static Iterator<String> answered(Iterator<String> partition, Settings settings) throws Exception {
        if (!partition.hasNext()) {
            return partition;
        }
        PartitionAnswers answers = new PartitionAnswers(partition, settings, EngineHolder.ofThisJvm().lease(settings.engine()));
        TaskCompletionListener close = _ -> answers.close();
        TaskContext.get().addTaskCompletionListener(close);
        return answers;
    }
}
