package poot.core.kernel.generate.pointwise;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * Elementwise operations on one element. Values are numbered: first the inputs, then each node's result.
 *
 * @param inputs  their element types
 * @param nodes   in order
 * @param results which values are results
 */
public record Expression(List<ElementType> inputs, List<Node> nodes, List<Integer> results) {
    /**
     * One operation, or an {@link Op.Literal} of one element.
     *
     * @param operands the values it takes
     * @param type     the element type of its result
     */
    public record Node(Op op, List<Integer> operands, ElementType type) {
        public Node {
            operands = List.copyOf(operands);
        }
    }

    public Expression {
        inputs = List.copyOf(inputs);
        nodes = List.copyOf(nodes);
        results = List.copyOf(results);
    }

    /** Whether an operation may be a node. */
    public static boolean takes(Op op) {
        return Scalars.knows(op);
    }

    /** The element type of a value. */
    public ElementType type(int value) {
        return value < inputs.size() ? inputs.get(value) : nodes.get(value - inputs.size()).type();
    }

    /** The results of one element from one element of each input. */
    public List<Reg> apply(KernelBuilder b, List<Reg> in) {
        List<Reg> values = new ArrayList<>(in);
        for (Node n : nodes) {
            values.add(n.op() instanceof Op.Literal l ? literal(b, l.data())
                    : Scalars.apply(b, n.op(), type(n.operands().getFirst()), n.operands().stream().map(values::get).toList()));
        }
        return results.stream().map(values::get).toList();
    }

    private static Reg literal(KernelBuilder b, LiteralData data) {
        int bits = data.bitsAt(0);
        ScalarType t = Elements.register(data.type().element());
        return switch (t) {
            case F32 -> b.f32(Float.intBitsToFloat(bits));
            case BOOL -> b.bool(bits != 0);
            case I32, U32 -> b.number(t, bits);
            case BUFFER -> throw new IllegalArgumentException("a literal address");
        };
    }
}
