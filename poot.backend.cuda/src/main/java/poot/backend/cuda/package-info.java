/** The CUDA backend: its {@link poot.backend.cuda.CudaExecutorProvider}, which says whether and why not it can run. */
package poot.backend.cuda;
