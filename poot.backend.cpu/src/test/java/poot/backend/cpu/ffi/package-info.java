/** Native memory and what the system says of it. */
package poot.backend.cpu.ffi;
