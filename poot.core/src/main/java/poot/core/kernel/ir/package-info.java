/**
 * The language of kernels: one source that every device runs, as SPIR-V, PTX or interpreted. A
 * {@link poot.core.kernel.ir.KernelBuilder} writes a {@link poot.core.kernel.ir.DeviceKernel}: parameters, shared
 * arrays and a {@link poot.core.kernel.ir.Block} of {@link poot.core.kernel.ir.Instruction}s over
 * {@link poot.core.kernel.ir.Reg}isters, each assigned once; flow is structured.
 * {@link poot.core.kernel.ir.Functions} builds exp, log, sine and their like of it,
 * {@link poot.core.kernel.ir.KernelValidator} keeps the rules, {@link poot.core.kernel.ir.KernelPrinter} shows it.
 *
 * <p>A kernel runs as a grid of workgroups of threads, each workgroup cut into full subgroups of neighbouring threads.
 * Memory is device memory, reached through buffer parameters, and shared arrays of a workgroup. Workgroups run in any
 * order and see nothing of each other but atomics.
 *
 * <p>{@code y[i] = a * x[i] + y[i]} of n elements, one thread each; the grid may be larger than n needs:
 *
 * <pre>{@code
 * var b = new KernelBuilder("saxpy", 256, 32);
 * Reg x = b.buffer("x", Access.READ);                         // F16 [n]
 * Reg y = b.buffer("y", Access.READ_WRITE);                   // F32 [n]
 * Reg a = b.scalar("a", ScalarType.F32);
 * Reg n = b.scalar("n", ScalarType.U32);
 * Reg i = b.globalThread();
 * b.when(b.lt(i, n), () -> {
 *     Reg xi = b.load(MemoryType.F16, x, i);                  // widened to F32
 *     Reg yi = b.load(MemoryType.F32, y, i);
 *     b.store(MemoryType.F32, y, i, b.fma(a, xi, yi));
 * });
 * DeviceKernel saxpy = b.build();
 * }</pre>
 *
 * <p>{@code sums[row] = sum of x[row, 0..width)}, a workgroup each row: every thread sums a share of the row, each
 * subgroup joins its lanes, and the first subgroup joins the subgroups:
 *
 * <pre>{@code
 * var b = new KernelBuilder("row_sum", 256, 32);
 * Reg x = b.buffer("x", Access.READ);                         // F32 [rows, width]
 * Reg sums = b.buffer("sums", Access.WRITE);                  // F32 [rows]
 * Reg width = b.scalar("width", ScalarType.U32);
 * SharedArray partial = b.shared("partial", MemoryType.F32, b.subgroups());
 * Reg begin = b.mul(b.workgroupX(), width);                   // below 2^32; b.advance() reaches further
 * Reg mine = b.loop(b.thread(), width, b.workgroupSize(), b.f32(0), (i, sum) ->
 *         b.add(sum, b.load(MemoryType.F32, x, b.add(begin, i))));
 * Reg joined = b.reduce(ReduceOp.ADD, mine);                  // the same in all lanes
 * b.when(b.eq(b.lane(), 0), () -> b.store(partial, b.subgroup(), joined));
 * b.barrier();
 * b.when(b.eq(b.subgroup(), 0), () -> {                       // uniform in the subgroup: may reduce
 *     Reg present = b.lt(b.lane(), b.u32(b.subgroups()));
 *     Reg part = b.either(present, () -> b.load(partial, b.lane()), () -> b.f32(0));
 *     Reg total = b.reduce(ReduceOp.ADD, part);
 *     b.when(b.eq(b.lane(), 0), () -> b.store(MemoryType.F32, sums, b.workgroupX(), total));
 * });
 * DeviceKernel rowSum = b.build();
 * }</pre>
 *
 * <p>Not here: graphs, packed formats, what runs a kernel.
 */
package poot.core.kernel.ir;
