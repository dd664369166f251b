/** The CUDA executor. */
module poot.backend.cuda {
    requires transitive poot.api;
    provides poot.api.executor.ExecutorProvider with poot.backend.cuda.CudaExecutorProvider;
}
