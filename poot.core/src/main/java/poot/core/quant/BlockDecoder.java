package poot.core.quant;

/** Decodes one block of a packed format: the only thing that differs between GGML formats. */
@FunctionalInterface
interface BlockDecoder {
    /**
     * Decodes the block that starts at {@code bytes[from]} to {@code out[at..]}; the block's length in bytes and
     * elements is the encoding's.
     */
    void decode(byte[] bytes, int from, float[] out, int at);
}
