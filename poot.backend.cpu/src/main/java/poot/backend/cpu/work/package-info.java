/**
 * How kernels are spread over threads: a {@link poot.backend.cpu.work.Team} of persistent workers runs one
 * {@link poot.backend.cpu.work.Work} at a time over a range of items.
 *
 * <p>In: a range and a grain. Out: every item done once. Not here: what an item is.
 */
package poot.backend.cpu.work;
