/**
 * The serving engine: many requests, one driver. {@link poot.core.engine.Engine} owns one thread that drives a
 * {@link poot.api.driver.ServingDriver}; a request is submitted from any thread and answered through its
 * {@link poot.core.engine.Ticket}, a buffer of {@link poot.core.engine.Event events} bounded by the request's own
 * limits. {@link poot.core.engine.TextReply} turns a ticket into text in the consumer's thread.
 *
 * <p>In data order: {@link poot.core.engine.EngineOptions}, {@link poot.core.engine.Engine#submit submit} or a
 * {@link poot.core.engine.SubmitFault}, the bounded queue, rows admitted first come first served, steps planned under a
 * token budget, events, {@link poot.core.engine.Piece pieces} of text. {@link poot.core.engine.EngineObserver} sees what
 * happens as plain numbers.
 *
 * <p>In: requests of token ids. Out: tokens, text, embeddings, typed faults. Not here: HTTP, families, devices, blocks.
 */
package poot.core.engine;
