/**
 * The graph a model is traced into: {@link poot.api.graph.Shape} and {@link poot.api.graph.TensorType} type a
 * {@link poot.api.graph.Value}; a {@link poot.api.graph.Builder} records {@link poot.api.graph.Op}s as
 * {@link poot.api.graph.Equation}s, keeps intent as {@link poot.api.graph.Composite}s, and finishes a
 * {@link poot.api.graph.Graph}. A weight enters as a {@link poot.api.graph.Role} and is bound later to a
 * {@link poot.api.graph.Weight} stored in a {@link poot.api.graph.Format}. A {@link poot.api.graph.Fault} is what every
 * refusal of poot carries, here and in the packages above.
 *
 * <p>In: a family's tracing code. Out: an immutable typed graph. Not here: data, devices, families.
 */
package poot.api.graph;
