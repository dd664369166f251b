package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK13.*;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** Wherever Vulkan fails, the failure has a type, everything is given back once and at its time, and the next device opens and works. */
class FaultTest {
    private static final int N = 64;
    /** 8 bytes each: more than lavapipe pushes. */
    private static final int MANY = 40;
    private static final long LARGE = 3L << 20;
    /** Without these a device does all the same: what only makes the next start faster, and the wait before all is given back. */
    private static final Set<String> NOT_NEEDED = Set.of("vkGetPipelineCacheData", "vkDeviceWaitIdle");
    /** What LWJGL asks for itself, and the backend again. */
    private static final Set<String> ASKED_AGAIN = Set.of("vkEnumerateInstanceVersion", "vkEnumeratePhysicalDevices", "vkEnumerateDeviceExtensionProperties");
    /** Where there is no large block of memory, one just large enough is asked for. */
    private static final Set<String> LARGE_OR_SMALL = Set.of("vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory", "vkMapMemory");
    /** Before there is a device to fail. */
    private static final Set<String> BEFORE = Set.of("vkEnumerateInstanceVersion", "vkCreateInstance");

    /** How calls fail, and of which device. */
    enum Way {
        HOST_MEMORY(VK_ERROR_OUT_OF_HOST_MEMORY, false, false, false),
        DEVICE_MEMORY(VK_ERROR_OUT_OF_DEVICE_MEMORY, false, false, true),
        LOST_ONCE(VK_ERROR_DEVICE_LOST, false, false, false),
        LOST(VK_ERROR_DEVICE_LOST, true, false, true),
        LOST_UNDER_VALIDATION(VK_ERROR_DEVICE_LOST, true, true, false);

        private final int code;
        private final boolean lasting;
        private final boolean validation;
        private final boolean staging;

        Way(int code, boolean lasting, boolean validation, boolean staging) {
            this.code = code;
            this.lasting = lasting;
            this.validation = validation;
            this.staging = staging;
        }

        boolean memory() {
            return code != VK_ERROR_DEVICE_LOST;
        }
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void everyCallMayFail(Way way) throws ExecutorException {
        Opened.device(Opened.options(way.validation, way.staging), UnaryOperator.identity()).close(); // Or a skip.
        try (FaultyVulkan vulkan = FaultyVulkan.install()) {
            int call = 0;
            Set<String> found = new TreeSet<>();
            Set<String> refused = new TreeSet<>(NOT_NEEDED);
            Optional<String> failed;
            do {
                call++;
                assertTrue(call < 1000, "it never gets through");
                vulkan.fail(call, way.code, way.lasting);
                Optional<ExecutorException> thrown = life(vulkan, way, folder.resolve("kept " + call));
                failed = vulkan.failed();
                String at = "call " + call + ", " + failed.orElse("none") + ", fails";
                assertEquals(List.of(), vulkan.misuses(), at);
                assertEquals(List.of(), vulkan.alive(), at);
                fits(way, failed, thrown, at);
                failed.ifPresent(found::add);
                failed.filter(f -> thrown.isPresent()).ifPresent(refused::add);
            } while (failed.isPresent());
            refused.retainAll(found);
            assertEquals(found, refused, "functions whose failure is told");
            assertTrue(call > 50, call + " calls");
        }
    }

    private static void fits(Way way, Optional<String> failed, Optional<ExecutorException> thrown, String at) {
        if (thrown.isPresent()) {
            Class<?> type = thrown.get().fault().getClass();
            boolean before = type == NotAvailable.class && BEFORE.contains(failed.orElse(""));
            assertTrue(before || type == (way.memory() ? OutOfMemory.class : DeviceFailed.class), () -> at + " with " + thrown.get());
        } else {
            String f = failed.orElse("");
            boolean passes = NOT_NEEDED.contains(f) || ASKED_AGAIN.contains(f) || way.memory() && LARGE_OR_SMALL.contains(f);
            assertTrue(f.isEmpty() || passes, () -> at + " and nobody says so");
        }
    }

    /** All that a device does; what it first threw. Memory that ran out once may be there the next time, on the same device. */
    private static Optional<ExecutorException> life(FaultyVulkan vulkan, Way way, Path cache) {
        var options = Opened.options(way.validation, way.staging);
        Optional<ExecutorException> thrown = Optional.empty();
        try (VulkanDevice d = VulkanDevice.open(new VulkanOptions(options.device(), options.validation(), options.staging(), Optional.of(cache),
                options.loader()))) {
            try {
                use(d);
            } catch (ExecutorException e) {
                thrown = Optional.of(e);
                if (way.memory()) {
                    int slots = way.staging ? 2 : 0; // What moves bytes stays, and a block of either memory.
                    assertTrue(Collections.frequency(vulkan.alive(), "vkAllocateCommandBuffers") <= slots, vulkan.alive()::toString);
                    assertTrue(Collections.frequency(vulkan.alive(), "vkAllocateMemory") <= 2 + slots, vulkan.alive()::toString);
                    use(d);
                }
            }
        } catch (ExecutorException e) {
            assertTrue(thrown.isEmpty(), () -> "a second failure: " + e);
            thrown = Optional.of(e);
        }
        return thrown;
    }

    private static void use(VulkanDevice d) throws ExecutorException {
        DeviceKernel few = add(d, 1);
        DeviceKernel many = add(d, MANY);
        int[] sent = new int[N];
        Arrays.setAll(sent, i -> 3 * i);
        try (DeviceBuffer a = d.allocate("a", 4 * N); DeviceBuffer large = d.allocate("large", LARGE); HostBuffer h = d.allocateHost("h", 4 * N)) {
            d.upload(a, 0, MemorySegment.ofArray(sent));
            d.upload(large, 0, MemorySegment.ofArray(new byte[(int) LARGE]));
            try (Recording r = d.record(List.of(launch(d, few, a), launch(d, many, a), new Command.Copy(a, 0, h, 0, 4 * N, true),
                    new Command.Fill(large, 0, 16, true)))) {
                r.run();
                r.run();
            }
            int[] got = new int[N];
            d.download(a, 0, MemorySegment.ofArray(got));
            assertArrayEquals(Arrays.stream(sent).map(x -> x + 2 * (1 + MANY)).toArray(), got);
            assertArrayEquals(got, h.memory().toArray(ValueLayout.JAVA_INT));
        }
    }

    private static Launch launch(VulkanDevice d, DeviceKernel kernel, DeviceBuffer to) throws ExecutorException {
        List<Argument> arguments = new ArrayList<>();
        kernel.params().forEach(p -> arguments.add(Argument.of(to)));
        return new Launch(d.compile(kernel), arguments, Grid.of(1), true);
    }

    /** Adds 1 to what lies in each of {@code buffers}, which are one. */
    private static DeviceKernel add(VulkanDevice d, int buffers) {
        KernelBuilder b = new KernelBuilder("add_" + buffers, N, d.limits().subgroup());
        for (int n = 0; n < buffers; n++) {
            Reg to = b.buffer("to" + n, Access.READ_WRITE);
            b.store(MemoryType.U32, to, b.globalThread(), b.add(b.load(MemoryType.U32, to, b.globalThread()), 1));
        }
        return b.build();
    }
}
