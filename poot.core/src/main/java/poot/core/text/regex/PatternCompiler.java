package poot.core.text.regex;

import java.util.Arrays;

/** Node -> Program, counted groups unrolled; the program's size is bounded. */
final class PatternCompiler {
    /** Most instructions a pattern may need. */
    static final int MAX_SIZE = 8192;

    private int[] op = new int[64];
    private int[] x = new int[64];
    private int[] y = new int[64];
    private CodeSet[] set = new CodeSet[64];
    private CodeSet[] other = new CodeSet[64];
    private int size;

    /** The program of a pattern. */
    static Program compile(Node node) throws RegexException {
        PatternCompiler c = new PatternCompiler();
        c.node(node);
        c.emit(Program.MATCH, 0, 0, null);
        int n = c.size;
        return new Program(Arrays.copyOf(c.op, n), Arrays.copyOf(c.x, n), Arrays.copyOf(c.y, n),
                Arrays.copyOf(c.set, n), Arrays.copyOf(c.other, n), guard(node));
    }

    private void node(Node node) throws RegexException {
        switch (node) {
            case Node.One one -> emit(Program.ONE, 0, 0, one.set());
            case Node.Chain chain -> {
                for (Node part : chain.parts()) {
                    node(part);
                }
            }
            case Node.Choice choice -> choice(choice);
            case Node.Repeat repeat -> repeat(repeat);
            case Node.Atomic atomic -> group(Program.ATOMIC, 0, atomic.body());
            case Node.Ahead ahead -> {
                if (ahead.body() instanceof Node.One one) {
                    emit(Program.AHEAD_ONE, ahead.negative() ? 1 : 0, 0, one.set());
                } else {
                    group(Program.AHEAD, ahead.negative() ? 1 : 0, ahead.body());
                }
            }
            case Node.Behind behind -> emit(Program.BEHIND, behind.negative() ? 1 : 0, 0, behind.set());
            case Node.At at -> emit(Program.AT, at.edge().ordinal(), 0, null);
        }
    }

    private void group(int code, int flag, Node body) throws RegexException {
        int head = emit(code, flag, 0, null);
        node(body);
        emit(Program.MATCH, 0, 0, null);
        y[head] = size;
    }

    private void choice(Node.Choice choice) throws RegexException {
        int count = choice.branches().size();
        int[] exits = new int[count];
        CodeSet[] rest = new CodeSet[count];       // what branches i.. can begin with, null where one may be empty
        for (int i = count - 1; i >= 0; i--) {
            CodeSet own = guard(choice.branches().get(i));
            rest[i] = i == count - 1 ? own : own == null || rest[i + 1] == null ? null : own.union(rest[i + 1]);
        }
        for (int i = 0; i < count; i++) {
            Node branch = choice.branches().get(i);
            if (i == count - 1) {
                node(branch);
                break;
            }
            int split = emit(Program.SPLIT, size + 1, 0, guard(branch));
            other[split] = rest[i + 1];
            node(branch);
            exits[i] = emit(Program.JUMP, 0, 0, null);
            y[split] = size;
        }
        for (int i = 0; i < count - 1; i++) {
            x[exits[i]] = size;
        }
    }

    private void repeat(Node.Repeat r) throws RegexException {
        if (r.body() instanceof Node.One one) {
            int code = switch (r.mode()) {
                case GREEDY -> Program.RUN;
                case LAZY -> Program.RUN_LAZY;
                case POSSESSIVE -> Program.RUN_POSSESSIVE;
            };
            emit(code, r.min(), r.max(), one.set());
            return;
        }
        if (r.mode() == Node.Mode.POSSESSIVE) {
            group(Program.ATOMIC, 0, new Node.Repeat(r.body(), r.min(), r.max(), Node.Mode.GREEDY));
            return;
        }
        boolean lazy = r.mode() == Node.Mode.LAZY;
        for (int i = 0; i < r.min(); i++) {
            node(r.body());
        }
        if (r.max() < 0) {
            int split = split(r.body(), lazy);
            node(r.body());
            emit(Program.JUMP, split, 0, null);
            leave(split, lazy);
        } else {
            int optional = r.max() - r.min();
            int[] splits = new int[optional];
            for (int i = 0; i < optional; i++) {
                splits[i] = split(r.body(), lazy);
                node(r.body());
            }
            for (int split : splits) {
                leave(split, lazy);
            }
        }
    }

    private int split(Node body, boolean lazy) throws RegexException {
        int split = emit(Program.SPLIT, size + 1, size + 1, lazy ? null : guard(body));
        if (lazy) {
            other[split] = guard(body);
        }
        return split;
    }

    private void leave(int split, boolean lazy) {
        if (lazy) {
            x[split] = size;
        } else {
            y[split] = size;
        }
    }

    private static CodeSet guard(Node node) {
        Node.First first = Node.first(node);
        return first.empty() ? null : first.set();
    }

    private int emit(int code, int a, int b, CodeSet operand) throws RegexException {
        if (size == MAX_SIZE) {
            throw new RegexException(0, "pattern of more than " + MAX_SIZE + " instructions", true);
        }
        if (size == op.length) {
            op = Arrays.copyOf(op, 2 * size);
            x = Arrays.copyOf(x, 2 * size);
            y = Arrays.copyOf(y, 2 * size);
            set = Arrays.copyOf(set, 2 * size);
            other = Arrays.copyOf(other, 2 * size);
        }
        op[size] = code;
        x[size] = a;
        y[size] = b;
        set[size] = operand;
        return size++;
    }
}
