/**
 * The toy backend: the whole Executor SPI in a few small files, every kernel evaluated by the oracle. It keeps values
 * where the buffer plan puts them, so a program that runs right here is planned right. Slow, obvious, and the first
 * place to look when writing a backend.
 */
package poot.oracleexec;
