/** The CPU executor: Vector API kernels over foreign memory. */
module poot.backend.cpu {
    requires transitive poot.api;
    requires jdk.incubator.vector;

    provides poot.api.executor.ExecutorProvider with poot.backend.cpu.CpuExecutorProvider;
}
