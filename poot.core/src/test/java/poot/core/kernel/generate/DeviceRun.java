package poot.core.kernel.generate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightDecoder;
import poot.core.kernel.decode.WeightSource;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.quant.CodeBooks;

/** The arguments of one launch, gathered in order, and the launch. */
public final class DeviceRun {
    private final Device device;
    private final List<Argument> arguments = new ArrayList<>();

    /** Gathers for a device. */
    public DeviceRun(Device device) {
        this.device = device;
    }

    /** Memory with these bytes. */
    public DeviceRun bytes(String what, MemorySegment bytes) throws ExecutorException {
        DeviceBuffer out = device.allocate(what, bytes.byteSize());
        device.upload(out, 0, bytes);
        arguments.add(Argument.of(out));
        return this;
    }

    /** Memory with these floats. */
    public DeviceRun floats(String what, float... values) throws ExecutorException {
        return bytes(what, MemorySegment.ofArray(values));
    }

    /** Memory with these integers. */
    public DeviceRun ints(String what, int... values) throws ExecutorException {
        return bytes(what, MemorySegment.ofArray(values));
    }

    /** The buffers of a stored weight. */
    public DeviceRun weight(StoredSample w) throws ExecutorException {
        for (WeightSource s : WeightDecoder.of(w.stored()).sources()) {
            switch (s) {
                case WeightSource.Part p -> bytes("part " + p.index(), w.parts().get(p.index()));
                case WeightSource.Book book -> ints("book", CodeBooks.of(book.encoding()).orElseThrow());
            }
        }
        return this;
    }

    /** A number. */
    public DeviceRun u32(int value) {
        arguments.add(Argument.u32(value));
        return this;
    }

    /** Memory for floats that nothing wrote. */
    public DeviceBuffer result(int count) throws ExecutorException {
        DeviceBuffer out = device.allocate("result", 4L * count);
        arguments.add(Argument.of(out));
        return out;
    }

    /** Runs the kernel. */
    public void run(Generator generator, Grid grid) throws ExecutorException {
        try (Recording r = device.record(List.of(new Launch(device.compile(generator.kernel(device.limits())), arguments, grid, true)))) {
            r.run();
        }
    }

    /** What lies in memory. */
    public float[] read(DeviceBuffer from) throws ExecutorException {
        MemorySegment out = MemorySegment.ofArray(new int[Math.toIntExact(from.bytes() / 4)]);
        device.download(from, 0, out);
        return out.toArray(ValueLayout.JAVA_FLOAT);
    }
}
