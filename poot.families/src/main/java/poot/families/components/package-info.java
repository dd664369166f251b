/**
 * The pieces decoders and encoders share. A {@link poot.families.components.Site} is where in a model one is tracing;
 * {@link poot.families.components.Embedding}, {@link poot.families.components.Norm},
 * {@link poot.families.components.Linear}, {@link poot.families.components.Rotary},
 * {@link poot.families.components.Attention} and {@link poot.families.components.FeedForward} record their primitives
 * there, inside the composite that names the intent; {@link poot.families.components.Residual} and
 * {@link poot.families.components.Stack} put them together;
 * {@link poot.families.components.Roles} tells which weights were read.
 *
 * <p>In: typed parameters and a builder. Out: values of the graph. Not here: configuration keys, checkpoint names,
 * families. In shapes, R is rows, T tokens, E hidden features, H query heads, G key/value heads, D features of a head,
 * F features of a feed-forward, V the vocabulary, S cache slots.
 */
package poot.families.components;
