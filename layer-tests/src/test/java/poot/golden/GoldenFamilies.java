package poot.golden;

import java.util.List;
import java.util.stream.Stream;
import poot.golden.Golden.Form;

/** The golden checkpoints of the shipped families: one line each. */
public final class GoldenFamilies {
    /**
     * One golden checkpoint.
     *
     * @param name  its directory
     * @param hf    which expected values its Hugging Face form has: {@code hf} where that form's GELU is the erf form
     * @param gguf  which expected values its GGUF form has
     */
    public record Family(String name, String hf, String gguf) {
        /** The variant of the expected values a form has. */
        public String variant(Form form) {
            return switch (form) {
                case HF -> hf;
                case GGUF -> gguf;
            };
        }
    }

    /** One golden checkpoint in one form. */
    public record Case(Family family, Form form) {
        /** The variant of the expected values. */
        public String variant() {
            return family.variant(form);
        }

        @Override
        public String toString() {
            return family.name() + " " + form;
        }
    }

    /** Decoders. */
    public static final List<Family> DECODERS = List.of(
            same("llama"), same("mistral"), same("qwen2"), same("qwen3"), same("gemma2"), same("gemma3"), same("phi3"),
            same("phi3-long"), same("olmo2"), same("granite"), same("smollm3"), same("bloom"),
            new Family("mpt", "hf", "exact"));

    /** Encoders. */
    public static final List<Family> ENCODERS = List.of(
            new Family("bert-mean", "hf", "exact"), new Family("bert-cls", "hf", "exact"), new Family("bert-rank", "hf", "exact"));

    private GoldenFamilies() {}

    /** Every decoder in both forms. */
    public static Stream<Case> decoders() {
        return cases(DECODERS);
    }

    /** Every encoder in both forms. */
    public static Stream<Case> encoders() {
        return cases(ENCODERS);
    }

    private static Stream<Case> cases(List<Family> families) {
        return families.stream().flatMap(f -> Stream.of(Form.values()).map(form -> new Case(f, form)));
    }

    private static Family same(String name) {
        return new Family(name, "exact", "exact");
    }
}
