package poot.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the matrix is what is computed; a wanted change is written there by {@code -Dpoot.goldens=write}. */
class FeatureMatrixTest {
    private static final Path PAGE = Path.of("../docs/feature-matrix.md");

    @Test
    void thePageIsWhatIsComputed(@TempDir Path folder) throws Exception {
        String computed = page(folder);
        if (System.getProperty("poot.goldens", "").equals("write")) {
            Files.writeString(PAGE, computed);
        }
        assertEquals(computed, Files.readString(PAGE), "rewrite it with -Dpoot.goldens=write");
    }

    private static String page(Path folder) throws Exception {
        Notes notes = new Notes();
        CompositeRows composites = new CompositeRows();
        String families = new FamilyRows(folder, notes, composites).rows();
        String formats = new FormatRows(notes).rows();
        String features = new FeatureRows(notes).rows();
        String columns = Arrays.stream(Column.values()).map(Column::toString).collect(Collectors.joining(" | ", " | ", " |\n"));
        String rules = "|---".repeat(Column.values().length) + "|\n";
        return """
                # Feature matrix

                Computed by `FeatureMatrixTest`, which fails when this page is stale; nothing here is written by hand. There is no
                list of what is supported: a program is compiled for a backend's target and prepared by its executor, and a cell
                says *runs*, or what was refused and why. Vulkan and CUDA share one executor. Here it plans every step, writes
                every kernel and holds each against a device's limits; no kernel is run. Whether results are right is for the
                parity suites.

                """ + Arrays.stream(Column.values()).map(c -> "- **" + c + "**: " + c.device() + "\n").collect(Collectors.joining())
                + "\n## Families\n\nEvery fixture of a family: prepared as it is, for one token and for rows of several, and compiled with its"
                + " matrices\nlabelled as each of " + StoredMatrix.all().size() + " formats.\n\n| family | programs" + columns + "|---|---" + rules
                + families
                + "\n## Formats\n\nA matrix in the format, multiplied with one row and with many, looked up row by row, and read whole.\n\n| format"
                + columns + "|---" + rules + formats
                + "\n## Composites\n\nHow the composites that the fixtures record are run: by a kernel of their own, or by their"
                + " bodies of primitives.\n\n| composite" + columns + "|---" + rules + composites.rows()
                + "\n## Features\n\nThe demo model's driver, prepared with the feature.\n\n| feature" + columns + "|---" + rules + features
                + "\n## Refusals\n\n" + notes.text();
    }
}
