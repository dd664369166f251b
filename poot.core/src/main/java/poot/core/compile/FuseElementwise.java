package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * {@code k: y = f(a); j: z = g(y, b)  ->  j: z = g(f(a), b)} for elementwise kernels over one shape, where j alone
 * reads y. The value between stays inside the kernel. Bit-exact: every operation still rounds its own result. A kernel
 * that reads a carried state is not moved, so that the state can still be written in place.
 */
final class FuseElementwise implements KernelPass {
    /** Equations of the largest kernel this makes. */
    private static final int LARGEST = 24;
    /** Values the largest kernel reads. */
    private static final int WIDEST = 12;

    @Override
    public List<Kernel> apply(Graph graph, List<Kernel> kernels) {
        return new Fusing(graph, kernels).fuse();
    }

    private static final class Fusing {
        private final Graph graph;
        private final List<Kernel> kernels;
        private final Map<Integer, Set<Integer>> readers = new HashMap<>();
        private final Set<Integer> fixed = new HashSet<>();
        private final Map<Integer, Integer> position = new HashMap<>();

        Fusing(Graph graph, List<Kernel> kernels) {
            this.graph = graph;
            this.kernels = kernels;
        }

        /** The kernels with chains of elementwise ones joined, each in the place of its last. */
        List<Kernel> fuse() {
            survey();
            Map<Integer, Kernel> out = new TreeMap<>();
            Map<Integer, Integer> madeBy = new HashMap<>();
            for (int k = 0; k < kernels.size(); k++) {
                Kernel joined = kernels.get(k);
                if (elementwise(joined)) {
                    for (Value v : kernels.get(k).inputs()) {
                        Integer producer = madeBy.get(v.id());
                        if (producer != null && joinable(out.get(producer), joined, v)) {
                            joined = join(out.remove(producer), joined, v);
                        }
                    }
                }
                out.put(k, joined);
                for (Value v : joined.outputs()) {
                    madeBy.put(v.id(), k);
                }
            }
            return List.copyOf(out.values());
        }

        /** Who reads what, what must lie in memory, and where each equation stands. */
        private void survey() {
            for (int k = 0; k < kernels.size(); k++) {
                for (Value v : kernels.get(k).inputs()) {
                    readers.computeIfAbsent(v.id(), i -> new HashSet<>()).add(k);
                }
            }
            for (int i = 0; i < graph.equations().size(); i++) {
                Equation e = graph.equations().get(i);
                if (e.op() instanceof Op.Reshape) {
                    fixed.add(e.inputs().getFirst().id());
                    fixed.add(e.output().id());
                } else if (e.op() instanceof Op.State || e.op() instanceof Op.ScatterUpdate) {
                    fixed.add(e.output().id());
                }
                for (Value v : e.outputs()) {
                    position.put(v.id(), i);
                }
            }
            graph.outputs().forEach(o -> fixed.add(o.value().id()));
            graph.states().forEach(c -> fixed.add(c.after().id()));
            graph.validations().forEach(v -> fixed.add(v.ok().id()));
        }

        private boolean joinable(Kernel producer, Kernel reader, Value v) {
            return producer != null && elementwise(producer)
                    && !fixed.contains(v.id()) && readers.get(v.id()).size() == 1
                    && v.shape().equals(reader.outputs().getFirst().shape())
                    && producer.equations().size() + reader.equations().size() <= LARGEST
                    && producer.inputs().size() + reader.inputs().size() - 1 <= WIDEST
                    && producer.inputs().stream().noneMatch(this::carried);
        }

        /** Whether a value is a state's, or a view of one; each reshape looks further back, so this ends. */
        private boolean carried(Value v) {
            Equation e = graph.equations().get(position.get(v.id()));
            return switch (e.op()) {
                case Op.State s -> true;
                case Op.ScatterUpdate s -> true;
                case Op.Reshape r -> carried(e.inputs().getFirst());
                default -> false;
            };
        }

        private static boolean elementwise(Kernel k) {
            return k.equations().stream().allMatch(e -> Elementwise.is(e.op()) || e.op() instanceof Op.PackedDecode)
                    && k.kind() != Kernel.Kind.MOVEMENT;
        }

        private Kernel join(Kernel producer, Kernel reader, Value between) {
            Map<Integer, Equation> ordered = new TreeMap<>();
            List<Equation> reads = new ArrayList<>();
            Set<Value> inputs = new LinkedHashSet<>(producer.inputs());
            inputs.addAll(reader.inputs());
            inputs.remove(between);
            for (Kernel k : List.of(producer, reader)) {
                for (Equation e : k.equations()) {
                    if (weightRead(e)) {
                        if (!reads.contains(e)) {
                            reads.add(e);
                        }
                    } else {
                        ordered.put(position.get(e.output().id()), e);
                    }
                }
            }
            List<Equation> all = new ArrayList<>(reads);
            all.addAll(ordered.values());
            return new Kernel(Kernel.Kind.POINTWISE, all, List.copyOf(inputs), reader.outputs(), 1);
        }

        private boolean weightRead(Equation e) {
            return e.inputs().size() == 1 && graph.equations().get(position.get(e.inputs().getFirst().id())).op() instanceof Op.Const;
        }
    }
}
