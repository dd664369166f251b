/**
 * How a kernel reads stored weights: one description per format, used by products, gathers and plain decode alike.
 *
 * <p>In data order: {@link poot.core.kernel.decode.StoredMatrix} says what lies in memory;
 * {@link poot.core.kernel.decode.WeightDecoder#of} finds who reads it and which buffers that takes
 * ({@link poot.core.kernel.decode.WeightSource}); a {@link poot.core.kernel.decode.WeightRow} is one row of it in a kernel
 * that is being written, and gives {@link poot.core.kernel.decode.Run}s of neighbouring elements. What the bits mean is
 * defined by {@link poot.core.quant}: values are the same, bit for bit.
 *
 * <p>In: addresses of packed bytes. Out: registers of F32. Not here: sums, tiles, launches.
 */
package poot.core.kernel.decode;
