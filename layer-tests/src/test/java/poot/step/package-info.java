/**
 * Steps run by hand, without a driver: {@link poot.step.Chunk}s of sequences become the step inputs of
 * {@link poot.step.StepInputs}; an {@link poot.step.OracleSession} traces, evaluates and carries the states.
 */
package poot.step;
