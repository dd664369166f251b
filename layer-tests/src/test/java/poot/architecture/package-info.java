/**
 * The build's guard over the architecture: what must never be, as rules over the compiled classes, the module
 * descriptors and the source files. {@link poot.architecture.Poot} says what is looked at.
 */
package poot.architecture;
