/**
 * The speed of this machine on a model of real shape: {@link poot.serve.bench.BenchShape} says the sizes,
 * {@link poot.serve.bench.SyntheticCheckpoint} writes random weights of them.
 */
package poot.serve.bench;
