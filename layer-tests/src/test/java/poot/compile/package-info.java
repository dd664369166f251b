/** The compiler judged by the oracle: every pass, and the whole road, keep a graph's results bit for bit. */
package poot.compile;
