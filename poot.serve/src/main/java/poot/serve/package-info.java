/** The {@code poot} command. */
package poot.serve;
