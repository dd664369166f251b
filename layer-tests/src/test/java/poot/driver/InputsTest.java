package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.driver.AdmitException;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.InputFault;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;

/** Request inputs: bound by the positions each row feeds, padded elsewhere, refused where they do not fit. */
class InputsTest {
    private static final ToyModel MODEL = new ToyModel(false, List.of(ToyModel.TAG, ToyModel.IMAGE, ToyModel.STYLE));
    private static final int[] PROMPT = {5, 9, 1, 17, 3, 22, 8, 8, 13, 2, 19};
    private static final InputValue STYLE = InputValue.row(InputValue.floats(1, 0, 0, 0, 0, 0, 0, -1));
    private static final InputValue TAGS = InputValue.dense(InputValue.words(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    private static final InputValue IMAGE = InputValue.sparse(new int[] {2, 7, 8}, image(3));

    private static InputValue.Data image(int positions) {
        float[] v = new float[positions * ToyModel.WIDTH];
        for (int i = 0; i < v.length; i++) {
            v[i] = (i % 7 - 3) * 0.5f;
        }
        return InputValue.floats(v);
    }

    private static SeqRequest request(Map<String, InputValue> inputs) {
        return SeqRequest.of(PROMPT).withInputs(new RequestInputs(inputs));
    }

    private static ServingDriver serving(int chunk) throws Exception {
        return Toy.serving(MODEL, Toy.OPTIONS.withPrefillChunk(chunk).withCarried(Set.of(Set.of("image"))));
    }

    @Test
    void valuesFollowTheirPositionsHoweverTheRowIsFed() throws Exception {
        Map<String, InputValue> all = Map.of("style", STYLE, "tag", TAGS, "image", IMAGE);
        List<float[]> whole;
        try (ServingDriver d = serving(16)) {
            whole = Toy.logits(d, request(all), 4);
            float[] bare = Toy.logits(d, request(Map.of("style", STYLE)), 1).getFirst();
            assertFalse(Arrays.equals(bare, whole.getFirst()));
            float[] tagged = Toy.logits(d, request(Map.of("style", STYLE, "tag", TAGS)), 1).getFirst();
            assertFalse(Arrays.equals(tagged, whole.getFirst()));
            float[] zeros = Toy.logits(d, request(Map.of("style", STYLE, "tag", InputValue.dense(InputValue.words(new int[11])))), 1).getFirst();
            assertArrayEquals(bare, zeros, "an omitted input holds its pad value");
        }
        for (int chunk : new int[] {1, 3, 8}) {
            try (ServingDriver d = serving(chunk)) {
                List<float[]> cut = Toy.logits(d, request(all), 4);
                for (int i = 0; i < cut.size(); i++) {
                    assertArrayEquals(whole.get(i), cut.get(i), 1e-5f, "chunk " + chunk + " step " + i);
                }
            }
        }
    }

    @Test
    void valuesThatDoNotFitAreRefused() throws Exception {
        try (ServingDriver d = serving(8)) {
            refused(d, Map.of(), InputFault.Missing.class);
            refused(d, Map.of("style", STYLE, "depth", STYLE), InputFault.Undeclared.class);
            refused(d, Map.of("style", InputValue.row(InputValue.words(1))), InputFault.WrongType.class);
            refused(d, Map.of("style", InputValue.row(InputValue.floats(1))), InputFault.WrongWidth.class);
            refused(d, Map.of("style", InputValue.dense(InputValue.floats(1))), InputFault.WrongPlacement.class);
            refused(d, Map.of("style", STYLE, "tag", InputValue.row(InputValue.words(1))), InputFault.WrongPlacement.class);
            refused(d, Map.of("style", STYLE, "tag", InputValue.dense(InputValue.words(1, 2))), InputFault.NotCovering.class);
            refused(d, Map.of("style", STYLE, "image", InputValue.dense(InputValue.floats(1, 2))), InputFault.WrongWidth.class);
            refused(d, Map.of("style", STYLE, "image", InputValue.sparse(new int[] {11}, image(1))), InputFault.Outside.class);
            refused(d, Map.of("style", STYLE, "image", InputValue.sparse(new int[] {-1}, image(1))), InputFault.Outside.class);
            refused(d, Map.of("style", STYLE, "image", InputValue.sparse(new int[] {3, 3}, image(2))), InputFault.Unordered.class);
            refused(d, Map.of("style", STYLE, "image", InputValue.sparse(new int[] {3}, image(2))), InputFault.WrongWidth.class);
            assertEquals(4, d.freeRows());
        }
        try (ServingDriver d = Toy.serving(MODEL, Toy.OPTIONS)) {
            refused(d, Map.of("style", STYLE, "image", IMAGE), InputFault.VariantUnprepared.class);
        }
    }

    private static void refused(ServingDriver d, Map<String, InputValue> inputs, Class<? extends InputFault> fault) {
        AdmitException e = assertThrows(AdmitException.class, () -> d.open(request(inputs)));
        assertInstanceOf(fault, e.fault(), e.getMessage());
    }

    @Test
    void encodePassesTakeTheSameInputs() throws Exception {
        try (ServingDriver d = serving(8)) {
            RequestInputs in = new RequestInputs(Map.of("style", STYLE, "tag", InputValue.dense(InputValue.words(4, 4, 4))));
            List<EncodeResult> r = d.encode(List.of(EncodeRow.of(5, 9, 1).withInputs(in), EncodeRow.of(5, 9, 1).withInputs(
                    new RequestInputs(Map.of("style", STYLE)))));
            float[] tagged = assertInstanceOf(EncodeResult.Embedding.class, r.get(0)).vector();
            float[] plain = assertInstanceOf(EncodeResult.Embedding.class, r.get(1)).vector();
            for (int i = 0; i < plain.length; i++) {
                assertEquals(plain[i] + 3, tagged[i], 1e-5f, "three tags of 4 quarters add 3");
            }
            assertThrows(AdmitException.class, () -> d.encode(List.of(EncodeRow.of(1))));
            assertThrows(AdmitException.class, () -> d.encode(List.of(EncodeRow.of(new int[17]).withInputs(in))));
        }
    }
}
