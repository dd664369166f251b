/**
 * The tests' driver: {@code libcuda.c} of the resources, built with gcc, found by the backend as any driver is, and its
 * kernels run by {@link poot.backend.cuda.interpret}. {@link poot.backend.cuda.driver.TestDriver} builds and steers it.
 */
package poot.backend.cuda.driver;
