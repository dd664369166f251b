package poot.serve.config;

import poot.api.driver.PrepareFault;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.graph.Fault;

/** Which settings take less memory, for a person who started something that does not fit. */
public final class MemoryAdvice {
    private static final String SETTINGS = "set a smaller --context, --running (of a server) or --batch (of a bench), --kv f16 or q8_0,"
            + " another --backend, another device of it (the variable POOT_NAME_DEVICE, NAME being the backend's), or give a smaller file";

    private MemoryAdvice() {}

    /** The message of a fault; where it is one of memory, followed by the settings that help. */
    public static String message(Fault fault) {
        return isOfMemory(fault) ? fault.message() + ": " + SETTINGS : fault.message();
    }

    private static boolean isOfMemory(Fault fault) {
        return switch (fault) {
            case OutOfMemory _ -> true;
            case PrepareFault.TooManyBytes _ -> true;
            case PrepareFault.Device d -> isOfMemory(d.fault());
            default -> false;
        };
    }
}
