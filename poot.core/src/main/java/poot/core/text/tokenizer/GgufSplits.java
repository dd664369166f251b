package poot.core.text.tokenizer;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code tokenizer.ggml.pre} stands for: the patterns that cut text, one after another, each cutting what the
 * ones before left. The names are GGUF's; the patterns are those of the models' own tokenizers.
 *
 * @param patterns   patterns whose matches, and what lies between, are words
 * @param wholeWords a word that is a piece is that piece
 * @param addBos     begin texts with bos where the file does not say
 * @param addSep     end texts with the separator where the file does not say
 * @param byteLevel  pieces spell bytes; otherwise spaces are marked and unknown characters are byte pieces
 */
record GgufSplits(List<String> patterns, boolean wholeWords, boolean addBos, boolean addSep, boolean byteLevel) {
    private static final String CONTRACTIONS = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
    private static final String SPACES = "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String MARKS = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*";
    private static final String LETTERS = "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+";
    private static final String LLAMA3 = CONTRACTIONS + "|" + LETTERS + "|\\p{N}{1,3}|" + MARKS + SPACES;
    private static final String QWEN2 = CONTRACTIONS + "|" + LETTERS + "|\\p{N}|" + MARKS + SPACES;
    private static final String QWEN35 = CONTRACTIONS
            + "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*" + SPACES;
    private static final String UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String EDGE = "[^\\r\\n\\p{L}\\p{N}]?";
    private static final String CASED_TAIL = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*" + SPACES;
    private static final String TEKKEN = EDGE + UPPER + "*" + LOWER + "+|" + EDGE + UPPER + "+" + LOWER + "*|\\p{N}|"
            + CASED_TAIL;
    private static final String GPT4O = EDGE + UPPER + "*" + LOWER + "+" + CONTRACTIONS + "?|" + EDGE + UPPER + "+" + LOWER
            + "*" + CONTRACTIONS + "?|\\p{N}{1,3}|" + CASED_TAIL;
    private static final String CJK = "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+";
    private static final String DEEPSEEK3 = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
            + "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*" + SPACES;
    private static final String CJK_WIDE = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+";
    private static final String DEEPSEEK_MARKS = "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+";
    private static final String BLOOM = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+";
    private static final String DEFAULT_MARKS = "[\\p{P}\\$\\+<=>\\^~\\|]+";
    private static final String FALCON_MARKS = "[\\p{P}\\$\\+<=>\\^~\\|`]+";
    private static final String THREE_DIGITS = "[0-9][0-9][0-9]";
    private static final String BAILING = "'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|" + LETTERS + "|\\p{N}|" + MARKS
            + "|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+";
    private static final String SEED = CONTRACTIONS + "|" + LETTERS + "|\\p{N}| ?[^\\s\\p{L}\\p{N}\\r\\n]+" + SPACES;

    private static final GgufSplits LIKE_LLAMA3 = new GgufSplits(List.of(LLAMA3), true, true, false, true);
    private static final GgufSplits LIKE_GPT2 = plain(JsonPreTokenizers.GPT2);
    private static final GgufSplits LIKE_QWEN2 = plain(QWEN2);
    private static final GgufSplits LIKE_SMOLLM = plain("\\p{N}", JsonPreTokenizers.GPT2);
    private static final GgufSplits LIKE_DEEPSEEK3 = plain("\\p{N}{1,3}", CJK, DEEPSEEK3);
    private static final GgufSplits LIKE_ROBERTA = new GgufSplits(List.of(JsonPreTokenizers.GPT2), false, false, true, true);
    private static final GgufSplits MARKED = new GgufSplits(List.of("[^\\n]+|[\\n]+"), false, true, false, false);

    private static final Map<String, GgufSplits> KNOWN = Map.ofEntries(
            Map.entry("default", plain(DEFAULT_MARKS, JsonPreTokenizers.GPT2, "\\p{N}+", THREE_DIGITS)),
            Map.entry("llama3", LIKE_LLAMA3), Map.entry("llama-v3", LIKE_LLAMA3), Map.entry("llama-bpe", LIKE_LLAMA3),
            Map.entry("falcon3", LIKE_LLAMA3), Map.entry("falcon-h1", LIKE_LLAMA3), Map.entry("pixtral", LIKE_LLAMA3),
            Map.entry("midm-2.0", LIKE_LLAMA3), Map.entry("lfm2", LIKE_LLAMA3), Map.entry("jina-v5-nano", LIKE_LLAMA3),
            Map.entry("dbrx", plain(LLAMA3)), Map.entry("smaug-bpe", plain(LLAMA3)),
            Map.entry("glm4", plain(LLAMA3)), Map.entry("chatglm-bpe", plain(LLAMA3)),
            Map.entry("gpt-2", LIKE_GPT2), Map.entry("phi-2", LIKE_GPT2), Map.entry("mpt", LIKE_GPT2),
            Map.entry("olmo", LIKE_GPT2), Map.entry("jais", LIKE_GPT2), Map.entry("trillion", LIKE_GPT2),
            Map.entry("granite-docling", LIKE_GPT2), Map.entry("jina-es", LIKE_GPT2), Map.entry("jina-de", LIKE_GPT2),
            Map.entry("jina-v2-es", LIKE_GPT2), Map.entry("jina-v2-de", LIKE_GPT2), Map.entry("gigachat", LIKE_GPT2),
            Map.entry("a.x-4.0", LIKE_GPT2), Map.entry("mellum", LIKE_GPT2), Map.entry("modern-bert", LIKE_GPT2),
            Map.entry("exaone4", LIKE_GPT2),
            Map.entry("jina-v1-en", LIKE_ROBERTA), Map.entry("jina-v2-code", LIKE_ROBERTA),
            Map.entry("roberta-bpe", LIKE_ROBERTA),
            Map.entry("qwen2", LIKE_QWEN2), Map.entry("deepseek-r1-qwen", LIKE_QWEN2), Map.entry("kormo", LIKE_QWEN2),
            Map.entry("f2llmv2", LIKE_QWEN2), Map.entry("megrez", LIKE_QWEN2), Map.entry("stablelm2", LIKE_QWEN2),
            Map.entry("hunyuan", LIKE_QWEN2), Map.entry("solar-open", LIKE_QWEN2), Map.entry("grok-2", LIKE_QWEN2),
            Map.entry("qwen35", plain(QWEN35)), Map.entry("laguna", plain("[^\\n]+|[\\n]+", QWEN2)),
            Map.entry("minicpm5", new GgufSplits(List.of("\\p{N}{1,3}", CONTRACTIONS + "|" + LETTERS + "|\\p{N}+|" + MARKS
                    + SPACES), true, false, false, true)),
            Map.entry("smollm", LIKE_SMOLLM), Map.entry("starcoder", LIKE_SMOLLM), Map.entry("refact", LIKE_SMOLLM),
            Map.entry("command-r", LIKE_SMOLLM), Map.entry("codeshell", LIKE_SMOLLM), Map.entry("exaone", LIKE_SMOLLM),
            Map.entry("minerva-7b", LIKE_SMOLLM), Map.entry("mellum2", LIKE_SMOLLM),
            Map.entry("falcon", plain(FALCON_MARKS, JsonPreTokenizers.GPT2, THREE_DIGITS)),
            Map.entry("deepseek-llm", plain("[\\r\\n]", "\\s?" + GgufLetters.CASED + "+", DEEPSEEK_MARKS, "\\s+$",
                    CJK_WIDE, "\\p{N}+")),
            Map.entry("deepseek-coder", plain("[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", CJK_WIDE, "\\p{N}")),
            Map.entry("deepseek-v3", LIKE_DEEPSEEK3), Map.entry("hunyuan-dense", LIKE_DEEPSEEK3),
            Map.entry("joyai-llm", LIKE_DEEPSEEK3), Map.entry("hy_v4", LIKE_DEEPSEEK3),
            Map.entry("bloom", plain(BLOOM)), Map.entry("poro-chat", plain(BLOOM)), Map.entry("gpt3-finnish", plain(BLOOM)),
            Map.entry("viking", plain(BLOOM, "\\p{N}")),
            Map.entry("tekken", new GgufSplits(List.of(TEKKEN), true, true, false, true)),
            Map.entry("gpt-4o", plain(GPT4O)), Map.entry("llama4", plain(GPT4O)), Map.entry("kanana2", plain(GPT4O)),
            Map.entry("talkie", plain(GPT4O)), Map.entry("minimax-m2", plain(GPT4O)),
            Map.entry("tiny_aya", plain("\\d{1,3}(?=(?:\\d{3})*\\b)", GPT4O)),
            Map.entry("cohere2moe", plain("\\d{1,3}(?=(?:\\d{3})*\\b)", GPT4O)),
            Map.entry("superbpe", plain("\\p{N}+", "(?=(\\d{3})+(?!\\d))")),
            Map.entry("bailingmoe", plain(BAILING)), Map.entry("bailingmoe2", plain(BAILING)),
            Map.entry("llada-moe", plain(BAILING)), Map.entry("seed-coder", plain(SEED)),
            Map.entry("gemma4", MARKED));

    /** The meaning of a name, or null where it has none here. */
    static GgufSplits named(String name) {
        return KNOWN.get(name);
    }

    /** Every name that has a meaning here. */
    static Set<String> names() {
        return KNOWN.keySet();
    }

    private static GgufSplits plain(String... patterns) {
        return new GgufSplits(List.of(patterns), false, false, false, true);
    }
}
