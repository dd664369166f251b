package poot.backend.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.backend.cuda.interpret.DeviceSpace;
import poot.backend.cuda.interpret.PtxFault;
import poot.backend.cuda.interpret.PtxMachine;
import poot.backend.cuda.interpret.PtxProgram;

/** What the driver in C asks of Java: to read modules, to run kernels, to know memory. */
@SuppressWarnings("restricted")
final class Hooks {
    private static final int INVALID_PTX = -1;
    private static final int LAUNCH_FAILED = 719;
    private static final long LONGEST_TEXT = 64L << 20;

    private final DeviceSpace space = new DeviceSpace();
    private final PtxMachine machine = new PtxMachine(space);
    private final Map<Long, PtxProgram> modules = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Set<String> texts = new LinkedHashSet<>();
    private int capability;
    private long next = 1;

    List<String> faults() {
        return faults;
    }

    Set<String> texts() {
        return texts;
    }

    void capability(int of) {
        capability = of;
    }

    long instructions() {
        return machine.instructions();
    }

    /** The table of functions that the driver takes. */
    MemorySegment table(Arena arena) {
        List<MemorySegment> all = List.of(
                hook(arena, "load", long.class, MemorySegment.class, MemorySegment.class, long.class),
                hook(arena, "function", int.class, long.class, MemorySegment.class),
                hook(arena, "unload", void.class, long.class),
                hook(arena, "pack", long.class, long.class, MemorySegment.class, MemorySegment.class, long.class),
                hook(arena, "launch", int.class, long.class, int.class, int.class, int.class, int.class, int.class, MemorySegment.class, long.class),
                hook(arena, "allocated", void.class, long.class, long.class),
                hook(arena, "freed", void.class, long.class));
        MemorySegment table = arena.allocate(ValueLayout.ADDRESS, all.size());
        for (int i = 0; i < all.size(); i++) {
            table.setAtIndex(ValueLayout.ADDRESS, i, all.get(i));
        }
        return table;
    }

    private MemorySegment hook(Arena arena, String name, Class<?> result, Class<?>... parameters) {
        try {
            var handle = MethodHandles.lookup().findVirtual(Hooks.class, name, MethodType.methodType(result, parameters)).bindTo(this);
            var layouts = Arrays.stream(parameters).map(Hooks::layout).toArray(MemoryLayout[]::new);
            return TestDriver.stub(handle, result == void.class ? FunctionDescriptor.ofVoid(layouts)
                    : FunctionDescriptor.of(layout(result), layouts), arena);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no hook " + name, e);
        }
    }

    private static MemoryLayout layout(Class<?> type) {
        return type == long.class ? ValueLayout.JAVA_LONG : type == int.class ? ValueLayout.JAVA_INT : ValueLayout.ADDRESS;
    }

    long load(MemorySegment text, MemorySegment log, long logBytes) {
        try {
            String ptx = text.reinterpret(LONGEST_TEXT).getString(0);
            PtxProgram p = PtxProgram.of(ptx);
            texts.add(ptx);
            if (p.capability() > capability) {
                throw new IllegalStateException("text for sm_" + p.capability() + " on a device of " + capability);
            }
            modules.put(next, p);
            return next++;
        } catch (RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            faults.add(why);
            if (log.address() != 0 && why.length() < logBytes) {
                log.reinterpret(logBytes).setString(0, why);
            }
            return INVALID_PTX;
        }
    }

    int function(long module, MemorySegment name) {
        return modules.get(module).entry().equals(name.reinterpret(LONGEST_TEXT).getString(0)) ? 1 : 0;
    }

    void unload(long module) {
        modules.remove(module);
    }

    /** Lays parameters side by side, as a launch copies them; how many bytes. */
    long pack(long module, MemorySegment parameters, MemorySegment to, long most) {
        PtxProgram p = modules.get(module);
        int n = p.paramBytes().size();
        MemorySegment out = to.reinterpret(most);
        MemorySegment list = parameters.reinterpret((long) n * Long.BYTES);
        long end = 0;
        for (int i = 0; i < n; i++) {
            int bytes = p.paramBytes().get(i);
            int at = p.paramOffsets().get(i);
            MemorySegment.copy(list.getAtIndex(ValueLayout.ADDRESS, i).reinterpret(bytes), 0, out, at, bytes);
            end = at + bytes;
        }
        return end;
    }

    int launch(long module, int x, int y, int z, int threads, int shared, MemorySegment parameters, long bytes) {
        try {
            machine.launch(modules.get(module), x, y, z, threads, shared, parameters.reinterpret(bytes));
            return 0;
        } catch (PtxFault e) {
            faults.add(e.getMessage());
            return LAUNCH_FAILED;
        } catch (RuntimeException | Error e) {
            // Nothing may be thrown into C.
            faults.add(e.toString());
            return LAUNCH_FAILED;
        }
    }

    void allocated(long address, long bytes) {
        space.add(address, bytes);
    }

    void freed(long address) {
        space.remove(address);
    }
}
