package poot.step;

import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.backend.cpu.CpuExecutorProvider;
import poot.oracleexec.OracleExecutor;

/** The backends every machine has. */
public enum Backend {
    /** The oracle's own. */
    ORACLE {
        @Override
        public Executor open() {
            return new OracleExecutor();
        }
    },
    /** The CPU, one thread: small steps on a busy machine wait for nobody. */
    CPU {
        @Override
        public Executor open() throws ExecutorException {
            return new CpuExecutorProvider().open(new ExecutorOptions(1));
        }
    };

    /** Opens the backend with what the tests choose. */
    public abstract Executor open() throws ExecutorException;
}
