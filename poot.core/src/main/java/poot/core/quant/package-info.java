/**
 * One descriptor per packed weight format: what the stored bytes mean, once, for everybody.
 *
 * <p>In data order: {@link poot.core.quant.QuantFormats} finds the {@link poot.api.graph.Format} of an encoding;
 * {@link poot.core.quant.DenseFormat} reads plain floats, {@link poot.core.quant.BlockFormat} walks the blocks of a
 * GGML row and says with two functions what a block means; {@link poot.core.quant.Gptq4},
 * {@link poot.core.quant.Awq4}, {@link poot.core.quant.Fp8Channel} and {@link poot.core.quant.Fp8Block} join the
 * parts of the Hugging Face formats. {@link poot.core.quant.Packer} and
 * {@link poot.core.quant.Fp8Packer} go the other way for the common formats.
 *
 * <p>Packed bytes come in, F32 values go out. A scale that is infinite or not a number is a value like any other.
 * What does not belong here: finding tensors and checking their sizes (the checkpoint reader), and matrix products
 * (the backends).
 */
package poot.core.quant;
