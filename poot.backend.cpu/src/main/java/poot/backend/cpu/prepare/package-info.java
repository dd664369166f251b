/**
 * From a program to steps. {@link poot.backend.cpu.prepare.Weights} checks the resident weights a program reads,
 * {@link poot.backend.cpu.prepare.Places} resolves every value to bytes, and
 * {@link poot.backend.cpu.prepare.Preparation} makes a step of every equation that has something to do.
 *
 * <p>In: a program, weights, memory. Out: {@link poot.backend.cpu.prepare.Prepared}. Not here: running.
 */
package poot.backend.cpu.prepare;
