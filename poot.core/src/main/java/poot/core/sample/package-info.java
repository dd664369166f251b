/**
 * Sampling on the device: a {@link poot.core.sample.Head} says what is done with a step's logits,
 * {@link poot.core.sample.SamplingSuffix} appends it to the step's graph, {@link poot.core.sample.SampleSlot} names
 * what it reads from the host each step and {@link poot.core.sample.SampleState} what the device keeps.
 *
 * <p>In: a graph with logits. Out: the graph with a token, a finite flag and logprobs in their place. Not here: who
 * binds the slots.
 */
package poot.core.sample;
