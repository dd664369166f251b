/**
 * What choosing needs: {@link poot.core.kernel.generate.select.TopK}, the largest of lines in order;
 * {@link poot.core.kernel.generate.select.Scan}, running sums; {@link poot.core.kernel.generate.select.RandomWords}, bits
 * that are a function of a seed and a counter. The order of elements is that of
 * {@link poot.core.kernel.generate.select.Ranks}.
 *
 * <p>In: lines of elements. Out: kernels, alone or as {@link poot.core.kernel.generate.Stages}. Not here: what is chosen
 * and why.
 */
package poot.core.kernel.generate.select;
