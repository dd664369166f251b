/**
 * The definition of every operation: {@link poot.oracle.Oracle} evaluates a graph one equation at a time over
 * {@link poot.oracle.Tensor}s, and composites always by their bodies. Small, slow, obvious; every kernel and every
 * pass is judged by it.
 *
 * <p>In: a graph, stored weights, input tensors. Out: output tensors, carried states, failed validations. Not here:
 * anything of a device, a compiler or a family.
 */
package poot.oracle;
