/**
 * The error of computing with packed weights: what a backend makes of a model against the oracle over the very same
 * packed bytes.
 *
 * <p>In data order: {@link poot.accuracy.Subject} is a model with tokens to read, {@link poot.accuracy.WeightForm} packs
 * its weights, {@link poot.accuracy.Run} reads the tokens through a session, {@link poot.accuracy.Divergence} compares two
 * readings, {@link poot.accuracy.AccuracyTable} writes down what {@link poot.accuracy.AccuracyTest} measured. Not here:
 * single products ({@code poot.quant}) and how well a packer quantizes, which is only shown beside.
 */
package poot.accuracy;
