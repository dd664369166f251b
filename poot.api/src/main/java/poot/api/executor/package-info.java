/**
 * The Executor SPI. An {@link poot.api.executor.ExecutorProvider} says whether its backend can run here and opens an
 * {@link poot.api.executor.Executor}; the compiler asks its {@link poot.api.executor.Target} what it runs and hands
 * it a {@link poot.api.executor.Program}; an {@link poot.api.executor.Executable} holds weights, an
 * {@link poot.api.executor.Entry} runs, {@link poot.api.executor.States} carry from step to step.
 *
 * <p>In: programs, weights, input bytes. Out: output bytes. Not here: families, sampling policy, scheduling.
 */
package poot.api.executor;
