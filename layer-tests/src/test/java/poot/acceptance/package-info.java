/**
 * Acceptance: what a user meets. Trained and malformed checkpoints through the public API, and the command and its
 * runtime image as processes. What a single room promises is tested there.
 */
package poot.acceptance;
