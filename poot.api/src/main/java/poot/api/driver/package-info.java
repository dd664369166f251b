/**
 * The Driver SPI: what turns a loaded model and an executor into generation. An
 * {@link poot.api.driver.UnpreparedDriver} prepares itself under its {@link poot.api.driver.DriverOptions} into a
 * {@link poot.api.driver.ServingDriver}, or comes back with a {@link poot.api.driver.PrepareFault}. A
 * {@link poot.api.driver.SeqRequest} is admitted as a {@link poot.api.driver.Sequence}; the loop is open, step,
 * commit, release over {@link poot.api.driver.RowWork} and {@link poot.api.driver.RowResult}; generate and encode
 * are built on it.
 *
 * <p>In: requests. Out: tokens, logits, embeddings, or typed faults. Not here: devices, families, text.
 */
package poot.api.driver;
