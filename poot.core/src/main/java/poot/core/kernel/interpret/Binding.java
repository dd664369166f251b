package poot.core.kernel.interpret;

import java.util.List;
import java.util.stream.IntStream;
import poot.core.kernel.device.Argument;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Param;

/** One parameter bound to its argument: a number's bits, or memory and the range of it that the kernel may touch. */
record Binding(Param param, int bits, TrackedMemory memory, long offset, long bytes, long address) {
    /** The arguments of a launch; memory must be of an interpreted device. */
    static List<Binding> of(DeviceKernel kernel, List<Argument> arguments) {
        return IntStream.range(0, arguments.size()).mapToObj(i -> of(kernel.params().get(i), arguments.get(i))).toList();
    }

    private static Binding of(Param p, Argument argument) {
        return switch (argument) {
            case Argument.Int i -> new Binding(p, i.value(), null, 0, 0, 0);
            case Argument.Float f -> new Binding(p, Float.floatToRawIntBits(f.value()), null, 0, 0, 0);
            case Argument.Memory m -> new Binding(p, 0, Tracked.of(m.memory()).tracked(), m.offset(), m.bytes(), m.address());
        };
    }

    /** Whether reads must be noted: the kernel may also write here. */
    boolean written() {
        return param instanceof Param.Buffer b && b.access().writes();
    }
}
