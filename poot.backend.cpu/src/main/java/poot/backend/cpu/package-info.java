/**
 * The executor that runs everywhere: {@link poot.backend.cpu.CpuExecutorProvider} opens a
 * {@link poot.backend.cpu.CpuExecutor}, which keeps a team of workers; a {@link poot.backend.cpu.CpuExecutable} reads
 * weights where they are mapped; a {@link poot.backend.cpu.CpuEntry} runs one program over
 * {@link poot.backend.cpu.CpuStates}.
 *
 * <p>In: the Executor SPI. Out: results in host memory. Not here: kernels, which live below {@code kernel}.
 */
package poot.backend.cpu;
