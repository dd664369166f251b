package poot.step;

import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.oracleexec.OracleExecutor;

/** The backends every machine has. */
public enum Backend {
    /** The oracle's own. */
    ORACLE {
        @Override
        public Executor open() {
            return new OracleExecutor();
        }
    };

    /** Opens the backend with its own choices. */
    public abstract Executor open() throws ExecutorException;
}
