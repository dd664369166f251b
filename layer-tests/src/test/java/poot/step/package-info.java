/**
 * Steps run by hand, without a driver: {@link poot.step.Chunk}s of sequences become the step inputs of
 * {@link poot.step.StepInputs}; a {@link poot.step.Session} traces, runs and carries the states, through the oracle
 * ({@link poot.step.OracleSession}) or through the compiler and a backend ({@link poot.step.ExecutorSession}).
 * {@link poot.step.Serving} is the loop of a driver's caller.
 */
package poot.step;
