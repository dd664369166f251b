/**
 * Paged memory for keys and values: whose each block is. A {@link poot.core.kv.KvPool} hands the blocks of a
 * {@code BlockPool} to the {@link poot.core.kv.BlockTable}s of sequences, and keeps filled ones in a
 * {@code PrefixCache} for sequences that begin with the same tokens; a {@link poot.core.kv.BlockStore} moves what is
 * in them.
 *
 * <p>Three laws. A block is free, or held by sequences, or cached alone. A block is written only while one sequence
 * holds it and the prefix cache does not know it. A cached block's parent is held by everyone who holds the block, so
 * that the blocks cached alone can be given up leaf by leaf.
 *
 * <p>In: tokens, and how many of them are written. Out: tables of blocks. Not here: devices, steps, sampling.
 */
package poot.core.kv;
