package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Work put together once, of nodes that wait for other nodes, and made runnable. */
public final class DriverGraph implements AutoCloseable {
    private final MemorySegment handle;

    private DriverGraph(MemorySegment handle) {
        this.handle = handle;
    }

    /** A piece of a graph's work. */
    public record Node(MemorySegment handle) {}

    /**
     * How many threads run: blocks in three dimensions, threads of a block in one.
     *
     * @param x blocks
     * @param y blocks
     * @param z blocks
     * @param threads threads a block
     */
    public record Shape(int x, int y, int z, int threads) {}

    /** A graph without work. */
    public static DriverGraph create() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuGraphCreate", Cuda.cuGraphCreate(out, 0));
            return new DriverGraph(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /**
     * A kernel.
     *
     * @param after what it waits for
     * @param sharedBytes shared memory a block has beside what the module declares
     * @param arguments one segment for each parameter, as long as the parameter; copied
     */
    public Node kernel(List<Node> after, DriverModule module, Shape shape, int sharedBytes, List<MemorySegment> arguments) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment p = arena.allocate(CUDA_KERNEL_NODE_PARAMS_v2_st.layout());
            CUDA_KERNEL_NODE_PARAMS_v2_st.func(p, module.function());
            CUDA_KERNEL_NODE_PARAMS_v2_st.gridDimX(p, shape.x());
            CUDA_KERNEL_NODE_PARAMS_v2_st.gridDimY(p, shape.y());
            CUDA_KERNEL_NODE_PARAMS_v2_st.gridDimZ(p, shape.z());
            CUDA_KERNEL_NODE_PARAMS_v2_st.blockDimX(p, shape.threads());
            CUDA_KERNEL_NODE_PARAMS_v2_st.blockDimY(p, 1);
            CUDA_KERNEL_NODE_PARAMS_v2_st.blockDimZ(p, 1);
            CUDA_KERNEL_NODE_PARAMS_v2_st.sharedMemBytes(p, sharedBytes);
            CUDA_KERNEL_NODE_PARAMS_v2_st.kernelParams(p, pointers(arena, arguments));
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment dependencies = handles(arena, after);
            // The later form, of CUDA 12, adds fields behind those of the former, and zero in them means the same.
            CudaException.check("cuGraphAddKernelNode", CudaLibrary.has("cuGraphAddKernelNode_v2")
                    ? Cuda.cuGraphAddKernelNode_v2(out, handle, dependencies, after.size(), p)
                    : Cuda.cuGraphAddKernelNode(out, handle, dependencies, after.size(), p));
            return new Node(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** A copy of {@code bytes} between addresses the device reaches, its own or pinned ones. */
    public Node copy(List<Node> after, PrimaryContext context, long to, long from, long bytes) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment p = arena.allocate(CUDA_MEMCPY3D_st.layout());
            CUDA_MEMCPY3D_st.srcMemoryType(p, Cuda.CU_MEMORYTYPE_UNIFIED());
            CUDA_MEMCPY3D_st.srcDevice(p, from);
            CUDA_MEMCPY3D_st.dstMemoryType(p, Cuda.CU_MEMORYTYPE_UNIFIED());
            CUDA_MEMCPY3D_st.dstDevice(p, to);
            CUDA_MEMCPY3D_st.WidthInBytes(p, bytes);
            CUDA_MEMCPY3D_st.Height(p, 1);
            CUDA_MEMCPY3D_st.Depth(p, 1);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuGraphAddMemcpyNode",
                    Cuda.cuGraphAddMemcpyNode(out, handle, handles(arena, after), after.size(), p, context.handle()));
            return new Node(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Sets {@code bytes} at a device address to zero. */
    public Node clear(List<Node> after, PrimaryContext context, long at, long bytes) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment p = arena.allocate(CUDA_MEMSET_NODE_PARAMS_st.layout());
            CUDA_MEMSET_NODE_PARAMS_st.dst(p, at);
            CUDA_MEMSET_NODE_PARAMS_st.elementSize(p, 1);
            CUDA_MEMSET_NODE_PARAMS_st.width(p, bytes);
            CUDA_MEMSET_NODE_PARAMS_st.height(p, 1);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuGraphAddMemsetNode",
                    Cuda.cuGraphAddMemsetNode(out, handle, handles(arena, after), after.size(), p, context.handle()));
            return new Node(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Nothing, after {@code after}: many that wait for many need it to stay few edges. */
    public Node meet(List<Node> after) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuGraphAddEmptyNode", Cuda.cuGraphAddEmptyNode(out, handle, handles(arena, after), after.size()));
            return new Node(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** The graph as it is, ready to run any number of times. */
    public Runnable instantiate() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuGraphInstantiate", CudaLibrary.has("cuGraphInstantiateWithFlags")
                    ? Cuda.cuGraphInstantiateWithFlags(out, handle, 0)
                    : Cuda.cuGraphInstantiate_v2(out, handle, MemorySegment.NULL, MemorySegment.NULL, 0));
            return new Runnable(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    @Override
    public void close() {
        Release.of("cuGraphDestroy", Cuda.cuGraphDestroy(handle));
    }

    /** A graph that can run. */
    public static final class Runnable implements AutoCloseable {
        private final MemorySegment handle;

        private Runnable(MemorySegment handle) {
            this.handle = handle;
        }

        /** Puts the whole graph into a stream. */
        public void launch(DriverStream stream) throws CudaException {
            CudaException.check("cuGraphLaunch", Cuda.cuGraphLaunch(handle, stream.handle()));
        }

        @Override
        public void close() {
            Release.of("cuGraphExecDestroy", Cuda.cuGraphExecDestroy(handle));
        }
    }

    private static MemorySegment handles(Arena arena, List<Node> nodes) {
        return pointers(arena, nodes.stream().map(Node::handle).toList());
    }

    private static MemorySegment pointers(Arena arena, List<MemorySegment> each) {
        MemorySegment out = arena.allocate(ValueLayout.ADDRESS, Math.max(1, each.size()));
        for (int i = 0; i < each.size(); i++) {
            out.setAtIndex(ValueLayout.ADDRESS, i, each.get(i));
        }
        return out;
    }
}
