/**
 * The Executor SPI over a {@link poot.core.kernel.device.Device}, written once: a backend opens its device and hands it to
 * {@link poot.core.kernel.execute.DeviceExecutor}. Weights are uploaded once for each distinct part; a program becomes a
 * plan, and the plan over one set of states a recording, which a run replays.
 *
 * <p>In: an open device; programs, weights, input bytes. Out: output bytes. Not here: how devices work.
 */
package poot.core.kernel.execute;
