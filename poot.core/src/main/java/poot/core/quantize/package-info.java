/**
 * Writes whole checkpoints anew in another weight format: {@link poot.core.quantize.GgufQuantizer}.
 *
 * <p>In: an open checkpoint and a {@link poot.core.quant.Packer}. Out: a GGUF file. Not here: what the bytes of a format
 * mean and how they are packed ({@code poot.core.quant}), how files are read and written ({@code poot.core.checkpoint}).
 */
package poot.core.quantize;
