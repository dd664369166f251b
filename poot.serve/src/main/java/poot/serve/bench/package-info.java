/**
 * The speed of this machine on a model of real shape, and of another engine beside it.
 *
 * <p>A {@link poot.serve.bench.BenchShape} says the sizes, a {@link poot.serve.bench.WeightMix} the formats;
 * {@link poot.serve.bench.SyntheticCheckpoint} writes random weights of both. A {@link poot.serve.bench.Workload} is one
 * thing to time, and {@link poot.serve.bench.Work} what it takes at the least. {@link poot.serve.bench.Bench} runs a
 * {@link poot.serve.bench.BenchPlan}: a {@link poot.serve.bench.Workbench} gives poot's turns, a
 * {@link poot.serve.bench.PeerCommand} the peer's. What comes out is {@link poot.serve.bench.Measured}, which
 * {@link poot.serve.bench.BenchReport} sets beside the {@link poot.serve.bench.MachineLimits}. Nothing here knows how a
 * kernel works or prints.
 */
package poot.serve.bench;
