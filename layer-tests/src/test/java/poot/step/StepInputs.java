package poot.step;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.api.model.ModelSchema;
import poot.api.model.RequestInput;
import poot.api.model.StepInput;
import poot.api.model.StepShape;
import poot.oracle.Tensor;

/**
 * The inputs of a step. Block j of sequence s is block {@code j · sequences + s} of the pool, so that the blocks of a
 * sequence never lie side by side; a contiguous cache has one block a sequence.
 */
public final class StepInputs {
    private StepInputs() {}

    /** Every step input, and the pad value of every request input that may be omitted; rows beyond the chunks are padding. */
    public static Map<String, Tensor> of(ModelSchema schema, StepShape shape, List<Chunk> chunks) {
        Map<String, Tensor> out = new HashMap<>();
        for (StepInput input : StepInput.values()) {
            boolean stateless = shape.capacity() == 0;
            if (!stateless || input == StepInput.TOKENS || input == StepInput.POSITIONS || input == StepInput.REAL
                    || input == StepInput.LAST) {
                out.put(input.slot(), of(input, shape, chunks));
            }
        }
        for (RequestInput input : schema.inputs()) {
            if (input.presence() == RequestInput.Presence.DEFAULTED) {
                out.put(input.name(), filled(input.type(shape), input.pad()));
            }
        }
        return out;
    }

    private static Tensor filled(TensorType type, double value) {
        Tensor out = Tensor.zeros(type);
        if (type.element() == ElementType.F32) {
            Arrays.fill(out.floats(), (float) value);
        } else {
            Arrays.fill(out.words(), (int) value);
        }
        return out;
    }

    private static Tensor of(StepInput input, StepShape shape, List<Chunk> chunks) {
        int pad = switch (input) {
            case TOKENS, REAL, LAST -> 0;
            case POSITIONS, KV_WRITE, KV_TABLE, STATE_ROWS -> -1;
        };
        Tensor out = filled(input.type(shape), pad);
        int width = out.count() / shape.rows();
        for (int row = 0; row < chunks.size(); row++) {
            Chunk c = chunks.get(row);
            int used = switch (input) {
                case TOKENS, POSITIONS, REAL, KV_WRITE -> c.tokens().length;
                case LAST, STATE_ROWS -> 1;
                case KV_TABLE -> width;
            };
            for (int i = 0; i < used; i++) {
                out.words()[row * width + i] = switch (input) {
                    case TOKENS -> c.tokens()[i];
                    case POSITIONS -> c.start() + i;
                    case REAL -> 1;
                    case LAST -> c.tokens().length - 1;
                    case KV_WRITE -> slot(shape, c.sequence(), c.start() + i);
                    case KV_TABLE -> i * shape.layout().sequences() + c.sequence();
                    case STATE_ROWS -> c.sequence();
                };
            }
        }
        return out;
    }

    private static int slot(StepShape shape, int sequence, int position) {
        int block = shape.kvBlock();
        return (position / block * shape.layout().sequences() + sequence) * block + position % block;
    }
}
