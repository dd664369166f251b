/** How stored weights are read. */
package poot.backend.cpu.x86.weight;
