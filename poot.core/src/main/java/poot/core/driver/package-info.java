/**
 * The driver: a {@link poot.core.driver.ModelHandle} is loaded, {@link poot.core.driver.Driver} binds it to an
 * executor, and the unprepared driver becomes a serving one that owns a prepared set of compiled steps, the pools of
 * carried state, and the open sequences. A step is admitted work sorted into runs (Planner), bound by kind
 * (StepBinder, InputBinder), run and read back (Runner).
 *
 * <p>In: a checkpoint, an executor, requests. Out: {@link poot.api.driver} results. Not here: kernels, families.
 */
package poot.core.driver;
