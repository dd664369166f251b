/** Emitted kernels on their own: every format and vector width against decode, with memory that ends where they must stop. */
package poot.emit;
