/** The subcommands of {@code poot}, one file each, and what they share. */
package poot.serve.command;
