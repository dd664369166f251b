package poot.backend.cuda.driver;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A {@code libcuda.so.1} for tests, one in a process. Tests call {@link #require} before anything of the backend, which
 * looks for its library once.
 */
@SuppressWarnings("restricted")
public final class TestDriver {
    private static final String SOURCE = "/poot/backend/cuda/driver/libcuda.c";
    /** A system property: what the C compiler is to define for the driver of this process. */
    public static final String FLAGS = "poot.cuda.test.flags";
    private static TestDriver installed;

    /** What can be set, then what is counted; {@code libcuda.c} has the same. */
    public enum Number {
        DEVICES, VERSION, MAJOR, MINOR, MEMORY, FAIL_RUN, FAIL_INIT, ALLOCATIONS, PINNED, STREAMS, EVENTS, MODULES, GRAPHS,
        EXECUTABLES, CONTEXTS, USED, LAUNCHES, REPLAYS, DRY, FAIL_CALL, FAIL_CODE
    }

    private final MethodHandle set;
    private final MethodHandle get;
    private final Hooks hooks = new Hooks();

    private TestDriver(Path library) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
        set = linker.downcallHandle(symbols.findOrThrow("poot_test_set"),
                FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        get = linker.downcallHandle(symbols.findOrThrow("poot_test_get"),
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        MethodHandle install = linker.downcallHandle(symbols.findOrThrow("poot_test_hooks"), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
        try {
            install.invokeExact(hooks.table(Arena.global()));
        } catch (Throwable t) {
            throw new IllegalStateException("the test driver takes no hooks", t);
        }
    }

    /** The driver, installed where the backend finds it; the test is skipped where it cannot be built. */
    public static synchronized TestDriver require() {
        assumeTrue(canBuild(), "no gcc on this machine: the CUDA test driver cannot be built");
        if (installed == null) {
            String flags = System.getProperty(FLAGS);
            Path library = flags == null ? build() : build(flags.split(" "));
            System.setProperty("poot.cuda.library", library.toString());
            installed = new TestDriver(library);
        }
        installed.reset();
        return installed;
    }

    /** Whether there is a C compiler. */
    public static boolean canBuild() {
        return !System.getProperty("os.name").startsWith("Windows") && Files.isExecutable(Path.of("/usr/bin/gcc"));
    }

    /** Builds the library, with what {@code flags} define, in a folder of its own. */
    public static Path build(String... flags) {
        try {
            Path folder = Files.createTempDirectory("poot-cuda-");
            Path source = folder.resolve("libcuda.c");
            try (InputStream in = TestDriver.class.getResourceAsStream(SOURCE)) {
                Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
            }
            Path library = folder.resolve("libcuda.so.1");
            List<String> command = new ArrayList<>(List.of("/usr/bin/gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-Wall", "-Werror",
                    "-fPIC", "-shared", "-o", library.toString(), source.toString()));
            command.addAll(List.of(flags));
            run(command);
            folder.toFile().deleteOnExit();
            library.toFile().deleteOnExit();
            source.toFile().deleteOnExit();
            return library;
        } catch (IOException e) {
            throw new IllegalStateException("the test driver cannot be built: " + e.getMessage(), e);
        }
    }

    /** Runs a command that must succeed; what it prints. */
    public static String run(List<String> command) {
        try {
            Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!p.waitFor(2, TimeUnit.MINUTES) || p.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " fails: " + text);
            }
            return text;
        } catch (IOException e) {
            throw new IllegalStateException(command.getFirst() + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command.getFirst() + " was interrupted", e);
        }
    }

    private void reset() {
        set(Number.DEVICES, 1);
        set(Number.VERSION, 13000);
        capability(90);
        set(Number.MEMORY, 8L << 30);
        set(Number.FAIL_RUN, 0);
        set(Number.FAIL_INIT, 0);
        set(Number.DRY, 0);
        set(Number.FAIL_CALL, 0);
        hooks.faults().clear();
        hooks.texts().clear();
    }

    /** Lets devices have a compute capability: 10 * major + minor. */
    public void capability(int capability) {
        set(Number.MAJOR, capability / 10);
        set(Number.MINOR, capability % 10);
        hooks.capability(capability);
    }

    /** Sets what can be set. */
    public void set(Number what, long value) {
        try {
            set.invokeExact(what.ordinal(), value);
        } catch (Throwable t) {
            throw new IllegalStateException("the test driver fails", t);
        }
    }

    /** What is set, or counted. */
    public long get(Number what) {
        try {
            return (long) get.invokeExact(what.ordinal());
        } catch (Throwable t) {
            throw new IllegalStateException("the test driver fails", t);
        }
    }

    /** What kernels did that a device would not stand, since the driver was required last. */
    public List<String> faults() {
        return hooks.faults();
    }

    /** The texts of all modules loaded since the driver was required last, each once. */
    public Set<String> texts() {
        return hooks.texts();
    }

    /** How many handles are alive, of every kind. */
    public long alive() {
        long out = 0;
        for (Number n : List.of(Number.ALLOCATIONS, Number.PINNED, Number.STREAMS, Number.EVENTS, Number.MODULES, Number.GRAPHS,
                Number.EXECUTABLES, Number.CONTEXTS)) {
            out += get(n);
        }
        return out;
    }

    /** Instructions of warps run so far. */
    public long instructions() {
        return hooks.instructions();
    }

    static MemorySegment stub(MethodHandle handle, FunctionDescriptor type, Arena arena) {
        return Linker.nativeLinker().upcallStub(handle, type, arena);
    }
}
