package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.CustomBuffer;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Pointer;
import org.lwjgl.system.Struct;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.KHRCooperativeMatrix;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * Stands between the backend and the loader until it is closed: each call that says how it went can be made to fail, and
 * what was made and not given back is known. LWJGL asks one function for the addresses of all others, so nothing of the
 * backend knows of it; how a function is called is read off LWJGL's own methods.
 */
@SuppressWarnings("restricted")
final class FaultyVulkan implements AutoCloseable {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final List<Class<?>> FUNCTIONS = List.of(VK13.class, EXTDebugUtils.class, KHRCooperativeMatrix.class);

    private final Arena arena = Arena.ofShared();
    private final Map<Long, Long> substitutes = new HashMap<>();
    private final Map<Long, String> alive = new LinkedHashMap<>();
    private final List<String> misuses = new ArrayList<>();
    private final MethodHandle realOfInstance;
    private final MethodHandle realOfDevice;
    private final long ofInstance = stub("ofInstance");
    private final long ofDevice = stub("ofDevice");
    private int calls;
    private int failing;
    private int code;
    private boolean lasting;
    private Optional<String> failed = Optional.empty();
    private long submitted;
    private long awaited;

    private FaultyVulkan(SymbolLookup loader) {
        FunctionDescriptor type = descriptor(long.class, long.class, long.class);
        realOfInstance = LINKER.downcallHandle(loader.findOrThrow("vkGetInstanceProcAddr"), type);
        realOfDevice = LINKER.downcallHandle(loader.findOrThrow("vkGetDeviceProcAddr"), type);
    }

    /** Steps in; no device may be open. */
    static FaultyVulkan install() {
        SymbolLookup loader = SymbolLookup.libraryLookup(Configuration.VULKAN_LIBRARY_NAME.get().toString(), Arena.global());
        FaultyVulkan out = new FaultyVulkan(loader);
        VK.destroy();
        VK.create((ByteBuffer name) -> out.ofInstance(0, MemoryUtil.memAddress(name)));
        return out;
    }

    /** Steps aside; no device may be open. */
    @Override
    public void close() {
        VK.destroy();
        VK.create();
        arena.close();
    }

    /** Lets the call of this number, from now on and from 1, fail with {@code with}; all that follow too if it is {@code lasting}. */
    void fail(int call, int with, boolean lasting) {
        calls = 0;
        failing = call;
        code = with;
        this.lasting = lasting;
        failed = Optional.empty();
    }

    /** The function whose call failed first since {@link #fail}; empty where there were not as many calls. */
    Optional<String> failed() {
        return failed;
    }

    /** What was made and not given back. */
    List<String> alive() {
        return List.copyOf(alive.values());
    }

    /** What was given back while a submission may have used it, or that was not there. */
    List<String> misuses() {
        return List.copyOf(misuses);
    }

    private long stub(String name) {
        try {
            MethodHandle handle = MethodHandles.lookup().findVirtual(FaultyVulkan.class, name,
                    MethodType.methodType(long.class, long.class, long.class)).bindTo(this);
            return LINKER.upcallStub(handle, descriptor(long.class, long.class, long.class), arena).address();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no method " + name, e);
        }
    }

    private long ofInstance(long instance, long name) {
        return address(realOfInstance, instance, name);
    }

    private long ofDevice(long device, long name) {
        return address(realOfDevice, device, name);
    }

    /** Where a function of an instance or a device is: its substitute where there is one. */
    private long address(MethodHandle asked, long of, long name) {
        String function = MemoryUtil.memASCII(name);
        try {
            long real = (long) asked.invokeExact(of, name);
            return switch (function) {
                case "vkGetInstanceProcAddr" -> ofInstance;
                case "vkGetDeviceProcAddr" -> ofDevice;
                default -> real == 0 ? 0 : substitutes.computeIfAbsent(real, r -> substitute(function, r));
            };
        } catch (Throwable t) {
            misuses.add(function + " cannot be looked up: " + t);
            return 0;
        }
    }

    private long substitute(String function, long real) {
        Optional<Method> known = FUNCTIONS.stream().flatMap(c -> Stream.of(c.getMethods())).filter(m -> isCall(m, function)).findFirst();
        if (known.isEmpty()) {
            return real;
        }
        Class<?> result = known.get().getReturnType();
        boolean gives = result == void.class && (function.startsWith("vkDestroy") || function.startsWith("vkFree"));
        if (result != int.class && !gives) {
            return real;
        }
        Class<?>[] parameters = Arrays.stream(known.get().getParameterTypes()).map(p -> p.isPrimitive() ? p : long.class).toArray(Class<?>[]::new);
        FunctionDescriptor type = descriptor(result, parameters);
        Function f = new Function(function, LINKER.downcallHandle(MemorySegment.ofAddress(real), type));
        try {
            MethodHandle call = MethodHandles.lookup().findVirtual(FaultyVulkan.class, gives ? "give" : "call",
                    MethodType.methodType(result, Function.class, Object[].class));
            MethodHandle bound = MethodHandles.insertArguments(call, 0, this, f).asCollector(Object[].class, parameters.length)
                    .asType(type.toMethodType());
            return LINKER.upcallStub(bound, type, arena).address();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no method for calls", e);
        }
    }

    /** Whether a method of LWJGL calls a function with just what it takes: handles, addresses and numbers. */
    private static boolean isCall(Method m, String function) {
        boolean plain = Arrays.stream(m.getParameterTypes()).allMatch(p -> p.isPrimitive() || isHandle(p));
        return plain && (m.getName().equals("n" + function) || m.getName().equals(function) && takesNoAddress(m));
    }

    private static boolean isHandle(Class<?> type) {
        return Pointer.class.isAssignableFrom(type) && !Struct.class.isAssignableFrom(type) && !CustomBuffer.class.isAssignableFrom(type);
    }

    private static boolean takesNoAddress(Method m) {
        return Stream.of(m.getDeclaringClass().getMethods()).noneMatch(o -> o.getName().equals("n" + m.getName()));
    }

    private static FunctionDescriptor descriptor(Class<?> result, Class<?>... parameters) {
        MemoryLayout[] layouts = Arrays.stream(parameters).map(FaultyVulkan::layout).toArray(MemoryLayout[]::new);
        return result == void.class ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(layout(result), layouts);
    }

    private static MemoryLayout layout(Class<?> type) {
        return type == long.class ? ValueLayout.JAVA_LONG : type == float.class ? ValueLayout.JAVA_FLOAT : ValueLayout.JAVA_INT;
    }

    /** A function of the loader's or a driver's. */
    private record Function(String name, MethodHandle real) {
        Object run(Object... arguments) {
            try {
                return real.invokeWithArguments(arguments);
            } catch (Throwable t) {
                throw new IllegalStateException(name + " cannot be called", t);
            }
        }

        boolean waits() {
            return name.equals("vkWaitSemaphores") || name.equals("vkDeviceWaitIdle");
        }
    }

    /** A call that says how it went; nothing may be thrown into native code. */
    private int call(Function f, Object... arguments) {
        calls++;
        if (calls == failing || lasting && calls > failing) {
            if (failed.isEmpty()) {
                failed = Optional.of(f.name);
            }
            if (lasting && f.waits()) {
                settle(f, arguments); // Nothing runs on a device that is lost.
            }
            return code;
        }
        return settle(f, arguments);
    }

    private int settle(Function f, Object... arguments) {
        try {
            int result = (int) f.run(arguments);
            if (result == VK_SUCCESS) {
                note(f.name, arguments);
            }
            return result;
        } catch (RuntimeException e) {
            misuses.add(e.toString());
            return VK_ERROR_UNKNOWN;
        }
    }

    private void note(String function, Object... arguments) {
        switch (function) {
            case "vkQueueSubmit" -> submitted++;
            case "vkWaitSemaphores" -> awaited = Math.max(awaited, VkSemaphoreWaitInfo.create((long) arguments[1]).pValues().get(0));
            case "vkDeviceWaitIdle" -> awaited = submitted;
            case "vkCreateDevice" -> {
                submitted = 0;
                awaited = 0;
            }
            default -> { }
        }
        if (function.startsWith("vkCreate") || function.startsWith("vkAllocate")) {
            alive.put(MemoryUtil.memGetLong((long) arguments[arguments.length - 1]), function); // One at a time, here.
        }
    }

    /** A call that gives something back. */
    private void give(Function f, Object... arguments) {
        try {
            f.run(arguments);
            switch (f.name) {
                case "vkDestroyInstance", "vkDestroyDevice" -> forget(f.name, (long) arguments[0]);
                case "vkFreeCommandBuffers" -> forget(f.name, MemoryUtil.memGetLong((long) arguments[3]));
                default -> forget(f.name, (long) arguments[1]);
            }
            if (f.name.equals("vkDestroyCommandPool")) {
                alive.values().removeIf("vkAllocateCommandBuffers"::equals); // They go with their pool, of which there is one.
            }
        } catch (RuntimeException e) {
            misuses.add(e.toString());
        }
    }

    private void forget(String function, long handle) {
        if (handle != 0 && alive.remove(handle) == null) {
            misuses.add(function + " of what is not there");
        }
        if (handle != 0 && awaited < submitted) {
            misuses.add(function + " while submission " + submitted + " may run");
        }
    }
}
