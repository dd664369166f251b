/**
 * What a device would be told, without one: {@link poot.assembly.DryDevice} takes programs as a device of given limits does and
 * keeps kernels and commands; {@link poot.assembly.LargeModel} is a model of real shape whose weights are holes of a file.
 */
package poot.assembly;
