/**
 * The feature matrix, computed: every {@link poot.matrix.Column} is a target, a row is a family, a format or a feature, and
 * a cell says what compiling and preparing gave. Devices are {@link poot.matrix.PaperDevice}s: they have limits, and
 * nothing that runs.
 */
package poot.matrix;
