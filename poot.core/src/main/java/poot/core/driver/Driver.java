package poot.core.driver;

import poot.api.driver.DriverOptions;
import poot.api.driver.UnpreparedDriver;
import poot.api.executor.Executor;

/** Where a driver begins: a loaded model bound to an open executor. */
public final class Driver {
    private Driver() {}

    /**
     * A driver yet to be prepared. It keeps the model in use until it, or the serving driver it becomes, is closed.
     * The executor stays the caller's and must outlive the driver.
     */
    public static UnpreparedDriver over(ModelHandle handle, Executor executor, DriverOptions options) {
        handle.retain();
        return new Unprepared(handle, executor, options);
    }
}
