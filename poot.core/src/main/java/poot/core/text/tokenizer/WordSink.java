package poot.core.text.tokenizer;

/** Takes one stretch of text after another. */
@FunctionalInterface
interface WordSink {
    /** Takes text[from..to), which is not empty; {@code first} says that it begins where the whole input begins. */
    void accept(char[] text, int from, int to, boolean first);
}
