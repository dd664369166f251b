package poot.core.kernel.generate.product;

/** How the factors of a product of many rows are held while they are multiplied; sums are F32 always. */
public enum Precision {
    /** As F32: the product of two is rounded to 24 bits. */
    F32,
    /**
     * As sums of two BF16, 16 bits, multiplied by matrix fragments where the device has them for BF16; else as {@link #F32}.
     * An element of the result errs by about 2^-16 of the sum of its products' magnitudes at most.
     */
    SPLIT_BF16
}
