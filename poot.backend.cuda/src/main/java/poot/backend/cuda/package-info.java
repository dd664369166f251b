/** The CUDA backend: its {@link poot.backend.cuda.CudaExecutorProvider}, which says whether it can run and opens a device. */
package poot.backend.cuda;
