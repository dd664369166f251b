/**
 * The golden checkpoints and what is expected of them: {@link poot.golden.SharedData} finds the files,
 * {@link poot.golden.Golden} reads one family's expectations, {@link poot.golden.GoldenFamilies} is the table of
 * families. Not here: how a step is run, see {@link poot.step}.
 */
package poot.golden;
