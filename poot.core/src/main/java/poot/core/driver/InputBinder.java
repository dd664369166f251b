package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.graph.ElementType;
import poot.api.model.RequestInput;

/** Binds one declared request input of a step from its rows' values, padded elsewhere: the same for every input. */
final class InputBinder {
    private final RequestInput input;
    private final MemorySegment buffer;
    private final int tokens;
    private final int width;
    private final int pad;

    InputBinder(RequestInput input, MemorySegment buffer, int tokens) {
        this.input = input;
        this.buffer = buffer;
        this.tokens = tokens;
        this.width = Math.toIntExact(input.value().count());
        this.pad = switch (input.element()) {
            case F32 -> Float.floatToRawIntBits((float) input.pad());
            case BOOL -> input.pad() != 0 ? 1 : 0;
            default -> (int) input.pad();
        };
    }

    /** Fills the whole buffer with the pad value. */
    void clear() {
        long n = buffer.byteSize() / input.element().bytes();
        for (long i = 0; i < n; i++) {
            put(i, pad);
        }
    }

    /** Binds the values of row {@code row}, which feeds {@code count} tokens from position {@code from}. */
    void bind(int row, RequestInputs values, int from, int count) {
        Optional<InputValue> value = values.value(input.name());
        if (value.isEmpty()) {
            return;
        }
        InputValue.Data data = value.get().data();
        switch (value.get().placement()) {
            case InputValue.Row r -> copy(data, 0, row);
            case InputValue.Dense d -> {
                for (int t = 0; t < count && (from + t + 1L) * width <= data.count(); t++) {
                    copy(data, from + t, row * tokens + t);
                }
            }
            case InputValue.Sparse s -> {
                int[] positions = s.positions();
                int first = Arrays.binarySearch(positions, from);
                for (int i = first < 0 ? -first - 1 : first; i < positions.length && positions[i] < from + count; i++) {
                    copy(data, i, row * tokens + positions[i] - from);
                }
            }
        }
    }

    private void copy(InputValue.Data data, int unit, int place) {
        for (int i = 0; i < width; i++) {
            put((long) place * width + i, data.bitsAt(unit * width + i));
        }
    }

    private void put(long i, int bits) {
        if (input.element() == ElementType.BOOL) {
            buffer.set(JAVA_BYTE, i, (byte) bits);
        } else {
            buffer.set(JAVA_INT_UNALIGNED, 4 * i, bits);
        }
    }
}
