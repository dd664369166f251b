/**
 * Reads checkpoints: safetensors directories and GGUF files become a configuration and mapped, undecoded weights.
 *
 * <p>In data order: {@link poot.core.checkpoint.Checkpoint} finds out what is on disk and reads the configuration;
 * {@code SafetensorsSet} and {@code SafetensorsReader}, or {@code GgufSet}, {@code GgufHeader} and
 * {@code GgufTensors}, check the headers and map the tensors; {@code QuantizationReader} and {@code PackedLinears} turn
 * the several tensors of a packed linear into one weight; {@link poot.core.checkpoint.Formats} supplies what the bytes
 * mean. {@link poot.core.checkpoint.SafetensorsWriter} and {@link poot.core.checkpoint.GgufWriter} write files.
 *
 * <p>In: a path. Out: {@code RawConfig}, {@code WeightStore}, {@link poot.core.checkpoint.SideFiles}, or a
 * {@code CheckpointException} that names the file and the key or tensor. Files are hostile: every count and length is
 * checked against the bytes that are there before anything is allocated for it. Not here: what a tensor is for
 * (families), how its bytes decode (formats), tokenizers.
 */
package poot.core.checkpoint;
