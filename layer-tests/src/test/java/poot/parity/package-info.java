/**
 * The CPU judged by the oracle: every primitive and every claimed composite at sizes around vector and tile borders,
 * every packed format, random graphs, and the step programs of every family.
 */
package poot.parity;
