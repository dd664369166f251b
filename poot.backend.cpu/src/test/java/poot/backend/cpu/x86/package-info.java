/** The assembler against another one's bytes. */
package poot.backend.cpu.x86;
