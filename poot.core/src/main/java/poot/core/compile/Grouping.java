package poot.core.compile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * A graph's kernels while they are being joined. Two kernels become one where the later can be done as early as the
 * earlier, or the earlier as late as the later: nothing between makes what the one needs, needs what the other makes,
 * or reads a state that one of them overwrites.
 */
final class Grouping {
    private final Graph graph;
    private final List<Group> groups = new ArrayList<>();
    private final Map<Integer, Group> makers = new HashMap<>();
    private final Map<Integer, Integer> definition = new HashMap<>();
    private final Map<Integer, List<Integer>> readers = new HashMap<>();
    private final Set<Integer> results = new HashSet<>();

    Grouping(Graph graph, List<Kernel> kernels) {
        this.graph = graph;
        for (int i = 0; i < graph.equations().size(); i++) {
            Equation e = graph.equations().get(i);
            for (Value v : e.outputs()) {
                definition.put(v.id(), i);
            }
            for (Value v : e.inputs()) {
                readers.computeIfAbsent(v.id(), k -> new ArrayList<>()).add(i);
            }
        }
        graph.outputs().forEach(o -> results.add(o.value().id()));
        graph.states().forEach(c -> results.add(c.after().id()));
        graph.validations().forEach(v -> results.add(v.ok().id()));
        for (Kernel k : kernels) {
            Set<Integer> own = new TreeSet<>();
            k.equations().stream().filter(e -> !(e.op() instanceof Op.Reshape))
                    .forEach(e -> own.add(definition.get(e.outputs().getFirst().id())));
            Set<Integer> reads = new HashSet<>(own);
            reads.removeIf(i -> !weightRead(graph.equations().get(i)));
            if (reads.size() < own.size()) {
                own.removeAll(reads);
            }
            add(groups.size(), new Group(k.kind(), own, k.rows()));
        }
    }

    /** Equations that become one kernel: without the weight reads and views between them. */
    final class Group {
        private final Kernel.Kind kind;
        private final Set<Integer> indices;
        private final long rows;
        private final Set<Integer> made = new HashSet<>();
        private final Set<Integer> read = new HashSet<>();
        private final Set<Integer> overwritten = new HashSet<>();
        private int at;

        private Group(Kernel.Kind kind, Set<Integer> indices, long rows) {
            this.kind = kind;
            this.indices = indices;
            this.rows = rows;
            for (int i : indices) {
                Equation e = graph.equations().get(i);
                e.outputs().forEach(v -> made.add(v.id()));
                e.inputs().forEach(v -> read.add(root(v).id()));
                if (e.op() instanceof Op.ScatterUpdate) {
                    overwritten.add(root(e.inputs().getFirst()).id());
                }
            }
        }

        Kernel.Kind kind() {
            return kind;
        }

        /** The equations, in the graph's order. */
        List<Equation> equations() {
            return indices.stream().map(graph.equations()::get).toList();
        }

        /** Whether a value is made here, or a view of one that is. */
        boolean makes(Value v) {
            return made.contains(root(v).id());
        }

        /** Where it stands. */
        int at() {
            return at;
        }

        /** The values made. */
        Set<Integer> made() {
            return made;
        }

        /** The values read, views seen through; what is made here included. */
        Set<Integer> read() {
            return read;
        }
    }

    int size() {
        return groups.size();
    }

    Group group(int index) {
        return groups.get(index);
    }

    /** The group that makes a value, if one does. */
    Optional<Integer> maker(int value) {
        return Optional.ofNullable(makers.get(value)).map(g -> g.at);
    }

    /** The groups that read a value or a view of it, by index. */
    Set<Integer> readers(int value) {
        Set<Integer> out = new TreeSet<>();
        for (int i : readers.getOrDefault(value, List.of())) {
            Equation e = graph.equations().get(i);
            if (e.op() instanceof Op.Reshape) {
                out.addAll(readers(e.output().id()));
            } else {
                maker(e.outputs().getFirst().id()).ifPresent(out::add);
            }
        }
        return out;
    }

    private void add(int index, Group g) {
        groups.add(index, g);
        g.made.forEach(v -> makers.put(v, g));
        for (int i = index; i < groups.size(); i++) {
            groups.get(i).at = i;
        }
    }

    /** The value whose bytes {@code v} is a view of; each step looks further back, so this ends. */
    Value root(Value v) {
        Value at = v;
        while (defining(at).op() instanceof Op.Reshape) {
            at = defining(at).inputs().getFirst();
        }
        return at;
    }

    Equation defining(Value v) {
        return graph.equations().get(definition.get(v.id()));
    }

    /** A packed decode, or the cast of a stored constant. */
    boolean weightRead(Equation e) {
        return e.op() instanceof Op.PackedDecode
                || e.op() instanceof Op.Cast && defining(e.inputs().getFirst()).op() instanceof Op.Const;
    }

    /** Whether a group is elementwise, and no weight read that lies in memory. */
    boolean elementwise(Group g) {
        return g.equations().stream().allMatch(e -> Elementwise.is(e.op()) && !weightRead(e));
    }

    /** The number of values some equations read that none of them makes. */
    long operands(Collection<Equation> equations) {
        Set<Integer> made = new HashSet<>();
        Set<Integer> read = new HashSet<>();
        for (Equation e : equations) {
            e.outputs().forEach(v -> made.add(v.id()));
            e.inputs().forEach(v -> read.add(root(v).id()));
        }
        read.removeAll(made);
        return read.size();
    }

    /** Whether a value is a stored weight, as stored or read. */
    boolean weight(Value v) {
        Equation e = defining(v);
        return e.op() instanceof Op.Const || weightRead(e);
    }

    /** Whether two groups, the earlier first, can be joined: where not, it would change what an equation reads. */
    boolean joinable(int earlier, int later) {
        return hoists(earlier, later) || sinks(earlier, later);
    }

    /** Whether the later can be done as early as the earlier. What hinders it is most often just before it. */
    private boolean hoists(int earlier, int later) {
        Group b = groups.get(later);
        for (int i = later - 1; i > earlier; i--) {
            Group c = groups.get(i);
            if (meets(c.made, b.read) || meets(c.read, b.overwritten) || meets(c.overwritten, b.read)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the earlier can be done as late as the later. What hinders it is most often just behind it. */
    private boolean sinks(int earlier, int later) {
        Group a = groups.get(earlier);
        for (int i = earlier + 1; i < later; i++) {
            Group c = groups.get(i);
            if (meets(a.made, c.read) || meets(a.read, c.overwritten) || meets(a.overwritten, c.read)) {
                return false;
            }
        }
        return true;
    }

    /** Joins two groups, the earlier first; false where they are not joinable. */
    boolean join(int earlier, int later, Kernel.Kind kind, long rows) {
        boolean hoists = hoists(earlier, later);
        if (!hoists && !sinks(earlier, later)) {
            return false;
        }
        Set<Integer> both = new TreeSet<>(groups.get(earlier).indices);
        both.addAll(groups.get(later).indices);
        Group joined = new Group(kind, both, rows);
        groups.remove(later);
        groups.remove(earlier);
        add(hoists ? earlier : later - 1, joined);
        for (int i = earlier; i < groups.size(); i++) {
            groups.get(i).at = i;
        }
        return true;
    }

    private static boolean meets(Set<Integer> a, Set<Integer> b) {
        for (Integer i : a.size() < b.size() ? a : b) {
            if ((a.size() < b.size() ? b : a).contains(i)) {
                return true;
            }
        }
        return false;
    }

    /** The values of some equations that something else reads, or that are results of the graph. */
    List<Value> outputs(Collection<Equation> equations) {
        Set<Integer> own = new HashSet<>();
        equations.forEach(e -> own.add(definition.get(e.outputs().getFirst().id())));
        List<Value> out = new ArrayList<>();
        for (Equation e : equations) {
            e.outputs().stream().filter(v -> e.outputs().size() > 1 || read(v, own)).forEach(out::add);
        }
        return out;
    }

    /** Whether an equation that is not among {@code own} needs a value. */
    private boolean read(Value v, Set<Integer> own) {
        if (results.contains(v.id())) {
            return true;
        }
        for (int i : readers.getOrDefault(v.id(), List.of())) {
            Equation e = graph.equations().get(i);
            if (e.op() instanceof Op.Reshape ? read(e.output(), own) : !own.contains(i)) {
                return true;
            }
        }
        return false;
    }

    /** The kernels of the groups. */
    List<Kernel> kernels() {
        return groups.stream().map(this::kernel).toList();
    }

    private Kernel kernel(Group g) {
        List<Equation> main = g.equations();
        Set<Equation> reads = new LinkedHashSet<>();
        Set<Integer> all = new TreeSet<>();
        Set<Value> inputs = new LinkedHashSet<>();
        for (Equation e : main) {
            all.add(definition.get(e.outputs().getFirst().id()));
            for (Value v : e.inputs()) {
                Value at = v;
                if (g.makes(v)) {
                    for (; defining(at).op() instanceof Op.Reshape; at = defining(at).inputs().getFirst()) {
                        all.add(definition.get(at.id()));
                    }
                } else if (weightRead(defining(v)) && !makers.containsKey(v.id())) {
                    reads.add(defining(v));
                    inputs.addAll(defining(v).inputs());
                } else {
                    inputs.add(v);
                }
            }
        }
        List<Equation> equations = new ArrayList<>(reads);
        all.forEach(i -> equations.add(graph.equations().get(i)));
        return new Kernel(g.kind, equations, List.copyOf(inputs), outputs(main), g.rows);
    }
}
