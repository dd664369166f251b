package poot.accuracy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.x86.Simd;

/** The page of measured errors: a section per way the CPU can be run, each replaced when that way is measured again. */
final class AccuracyTable {
    private static final String HEAD = """
            # Accuracy of computing with packed weights

            Written by the command below; do not edit. A model is packed to a format; the CPU backend and the oracle (exact
            decode of the very same bytes, sums in double) read the same tokens, and the logits of every position are
            compared. *Computed* is therefore the error of the backend's arithmetic alone: the largest difference of a logit
            over the range of its row, and the mean and largest KL divergence of a row in nats. Prompts (all tokens in one
            step), five tokens a step and one token a step count together. *Quantized* is, for information, the mean KL
            divergence of the packed model from the unpacked one, both by the oracle; the packers round to nearest, they
            search for nothing.

            A row that is not whole blocks of the format is stored in another, by the rule that llama.cpp has (Q2_K, Q3_K and
            IQ4_XS become IQ4_NL, Q4_K Q5_0, Q5_K Q5_1, Q6_K Q8_0; what is not whole blocks of 32 becomes F16): the column
            *stored* says what a model's matrices really are. stories260K has rows of 64 and 172 elements, poot-tiny of 192
            and 512; random-256 is a Llama of random weights whose rows every format packs. FP8, GPTQ and AWQ pack the linear
            layers of the Hugging Face form; embeddings, and layers whose sizes do not fit, are F32 there.

                ./check -pl layer-tests -am -Dtest=AccuracyTest -Dsurefire.failIfNoSpecifiedTests=false -Dpoot.accuracy=write

            Other sections: with `-Dpoot.cpu.emit=off` (or `avx2`, `avx512`), or with `-Dtest.vm=-XX:MaxVectorSize=16` (32) for
            narrow vectors. The portable kernels multiply F32 activations; the emitted ones multiply 16-bit activations, a
            scale per 32, with the packed formats of whole codes, 22-bit ones with GPTQ and AWQ, and F32 ones with FP8. Every test run holds
            both, at fewer positions, to 2e-4 of a row's range and to 1e-6 nats for any row.
            """;
    private static final String FORMAT = "| %s | %s | %s | %.1e | %.1e | %.1e | %.1e | %.1e |%n";

    private AccuracyTable() {}

    /** Writes the section of this run's mode, and leaves the others. */
    static void write(List<Measured> measured) throws IOException {
        Path page = page();
        Map<String, String> sections = new TreeMap<>();
        if (Files.exists(page)) {
            List<String> parts = List.of(Files.readString(page).split("\n(?=## )"));
            parts.stream().skip(1).forEach(p -> sections.put(p.lines().findFirst().orElseThrow(), p.strip() + "\n"));
        }
        String title = "## " + mode();
        sections.put(title, title + "\n\n" + table(measured));
        Files.writeString(page, HEAD + "\n" + String.join("\n", sections.values()));
    }

    /** What selects kernels in this process. */
    static String mode() {
        String emitted = Emitter.probe().simd().map(Simd::title).orElse("off");
        return Lanes.COUNT * Float.SIZE + "-bit vectors, emitted kernels " + emitted;
    }

    private static String table(List<Measured> measured) {
        StringBuilder out = new StringBuilder();
        List<String> subjects = measured.stream().map(Measured::subject).distinct().toList();
        List<String> counts = new ArrayList<>();
        for (String subject : subjects) {
            Measured any = measured.stream().filter(m -> m.subject().equals(subject)).findFirst().orElseThrow();
            counts.add(subject + " " + any.quantized().positions());
        }
        out.append("Positions: ").append(String.join(", ", counts)).append(".\n\n");
        out.append("| format | model | stored | computed, of range | absolute | mean KL | largest KL | quantized, mean KL |\n");
        out.append("|---|---|---|---|---|---|---|---|\n");
        measured.stream().map(Measured::form).distinct().forEach(form -> measured.stream().filter(m -> m.form().equals(form))
                .forEach(m -> out.append(String.format(Locale.ROOT, FORMAT, form, m.subject(), m.stored(), m.computed().relative(),
                        m.computed().absolute(), m.computed().meanKl(), m.computed().largestKl(), m.quantized().meanKl()))));
        return out.toString();
    }

    /** The page in the tree the tests run in: beside the module's directory. */
    private static Path page() {
        return Path.of("../docs/accuracy.md").toAbsolutePath().normalize();
    }
}
