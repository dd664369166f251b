/** The CUDA executor. */
module poot.backend.cuda {
    requires transitive poot.api;
    requires poot.core;

    provides poot.api.executor.ExecutorProvider with poot.backend.cuda.CudaExecutorProvider;
}
