/**
 * Decoders of the standard shape. A {@link poot.families.standard.StandardFamily} reads a configuration into
 * {@link poot.families.standard.StandardParams} ({@link poot.families.standard.Fields} and
 * {@link poot.families.standard.RopeConfig} know the usual keys in both spellings) and maps roles to tensors with
 * {@link poot.families.standard.WeightNames}; {@link poot.families.standard.StandardModel} does the rest.
 * {@link poot.families.standard.Refusals} turns down what nobody read.
 *
 * <p>In: a RawConfig and tensor names. Out: a Model. Not here: a particular family.
 */
package poot.families.standard;
