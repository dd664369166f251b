/**
 * What a server counts: {@link poot.serve.metrics.Histogram} and {@link poot.serve.metrics.LabelledCounter} are added to
 * from any thread without a lock, {@link poot.serve.metrics.ServeMetrics} holds those of a server and sees its engine,
 * {@link poot.serve.metrics.Exposition} writes them in the text format of Prometheus. Not here: who reads them.
 */
package poot.serve.metrics;
