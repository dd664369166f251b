package poot.core.text.regex;

import java.util.Arrays;

/**
 * One walk of a pattern over a text, match by match. Not safe for concurrent use.
 *
 * <p>Matching backtracks over an explicit stack of (pc, position, limit) frames. Once the walk has cost more than its
 * share, it keeps one bit per (instruction, position) that has failed ({@link FailureMemo}); a failure does not depend
 * on where the attempt began, so the bits stay valid for the rest of the text and the walk costs at most
 * program size x text length. Groups inside lookahead and atomic groups are not remembered; they draw on a budget.
 */
public final class PatternScan {
    private static final long FREE_STEPS = 2048;
    private static final long STEPS_PER_UNIT = 64;

    private final Program p;
    private final String source;
    private final TextView view;
    private final int from;
    private final int to;
    private int start;
    private int end;
    private int next;
    private int lastEnd = -1;
    private int[] stack = new int[96];
    private int sp;
    private long steps;
    private long allowance = FREE_STEPS;
    private FailureMemo memo;        // null until the scan is expensive
    private int reach;               // the furthest place looked at so far
    private boolean restart;
    private int nested;

    PatternScan(Program program, String source, char[] text, int from, int to) {
        this.p = program;
        this.source = source;
        this.view = new TextView(text, from, to);
        this.from = from;
        this.to = to;
        this.next = from;
        this.reach = from;
    }

    /** Moves to the next match; false where there is none. An empty match right after a match is passed over. */
    public boolean find() {
        int at = next;
        while (at <= to) {
            if (p.start != null) {
                while (at < to && !p.start.contains(view.codePoint(at))) {
                    at = view.after(at);
                }
                if (at >= to) {
                    break;
                }
            }
            int stop = attempt(at);
            if (stop >= 0 && !(stop == at && stop == lastEnd)) {
                start = at;
                end = stop;
                lastEnd = stop;
                next = stop > at ? stop : view.after(at);
                return true;
            }
            at = view.after(at);
        }
        next = to + 1;
        return false;
    }

    /** Where the match begins. */
    public int start() {
        return start;
    }

    /** Where the match ends. */
    public int end() {
        return end;
    }

    private int attempt(int at) {
        sp = 0;
        restart = false;
        int stop = run(0, at);
        if (restart) {
            remember(at);
            sp = 0;
            restart = false;
            stop = run(0, at);
        }
        if (stop >= 0) {
            reach = Math.max(reach, stop);
            if (memo != null) {
                memo.forget(stop);
            }
        }
        return stop;
    }

    private void remember(int at) {
        memo = FailureMemo.of(at, to, 2 * p.size());
        if (memo == null) {
            throw new PatternBudgetException(source, to - from);
        }
        steps = 0;
        allowance = 4 * memo.size() + (1 << 20);
    }

    private void spend(long cost) {
        steps += cost;
        if (steps > allowance + STEPS_PER_UNIT * (reach - from)) {
            if (memo != null) {
                throw new PatternBudgetException(source, to - from);
            }
            restart = true;
        }
    }

    /** Runs from an instruction to its MATCH; the position reached, or -1. */
    private int run(int firstPc, int firstAt) {
        int floor = sp;
        int pc = firstPc;
        int at = firstAt;
        boolean remembers = memo != null && nested == 0;
        while (true) {
            spend(1);
            if (restart) {
                sp = floor;
                return -1;
            }
            boolean ok = !(remembers && memo.seen(pc, at));
            if (ok) {
                switch (p.op[pc]) {
                    case Program.MATCH -> {
                        sp = floor;
                        return at;
                    }
                    case Program.ONE -> {
                        ok = view.next(at, p.set[pc]);
                        if (ok) {
                            at = view.after(at);
                            pc++;
                        }
                    }
                    case Program.SPLIT -> {
                        boolean first = allows(p.set[pc], at);
                        boolean second = allows(p.other[pc], at);
                        ok = first || second;
                        if (first && second) {
                            push(p.y[pc], at, -1);
                        }
                        pc = first ? p.x[pc] : p.y[pc];
                    }
                    case Program.JUMP -> pc = p.x[pc];
                    case Program.RUN, Program.RUN_POSSESSIVE, Program.RUN_LAZY -> {
                        at = repeat(pc, at, remembers);
                        ok = at >= 0;
                        pc++;
                    }
                    case Program.AHEAD, Program.ATOMIC -> {
                        int stop = group(pc, at);
                        boolean ahead = p.op[pc] == Program.AHEAD;
                        ok = ahead ? stop >= 0 == (p.x[pc] == 0) : stop >= 0;
                        at = ahead ? at : stop;
                        pc = p.y[pc];
                    }
                    default -> {
                        ok = holds(pc, at);
                        pc++;
                    }
                }
            }
            if (!ok) {
                at = backtrack(floor, remembers);
                if (at < 0) {
                    return -1;
                }
                pc = resumed;
            }
        }
    }

    private int resumed;

    private int group(int pc, int at) {
        nested++;
        int stop = run(pc + 1, at);
        nested--;
        return stop;
    }

    private boolean allows(CodeSet guard, int at) {
        return guard == null || view.next(at, guard);
    }

    /** Enters a run at {@code at}: the position to go on from, or -1; leaves the alternatives on the stack. */
    private int repeat(int pc, int at, boolean remembers) {
        CodeSet set = p.set[pc];
        int min = p.x[pc];
        int max = p.y[pc];
        int pos = at;
        int count = 0;
        for (; count < min; count++) {
            if (pos >= to || !set.contains(view.codePoint(pos))) {
                return -1;
            }
            pos = view.after(pos);
        }
        if (p.op[pc] == Program.RUN_LAZY) {
            if (max != min) {
                push(pc, pos, max < 0 ? Integer.MAX_VALUE : max - min);
            }
            return pos;
        }
        int least = pos;
        boolean stepwise = remembers && max < 0;
        while (count != max && pos < to) {
            if (stepwise && memo.seen(pc + p.size(), pos)) {
                return -1;
            }
            int c = view.codePoint(pos);
            if (!set.contains(c)) {
                break;
            }
            if (stepwise && p.op[pc] == Program.RUN) {
                push(pc + 1, pos, -1);
            }
            pos += c >= 0x10000 ? 2 : 1;
            count++;
        }
        reach = Math.max(reach, pos);
        spend(pos - at);
        if (!stepwise && p.op[pc] == Program.RUN && pos > least) {
            push(pc, pos, least);
        }
        return pos;
    }

    /** Takes up the latest alternative above {@code floor}: its position (and {@link #resumed}), or -1. */
    private int backtrack(int floor, boolean remembers) {
        while (sp > floor) {
            int pc = stack[sp - 3];
            int at = stack[sp - 2];
            int limit = stack[sp - 1];
            sp -= 3;
            if (limit == -1) {
                resumed = pc;
                return at;
            }
            resumed = pc + 1;
            if (p.op[pc] == Program.RUN) {
                int back = shorter(pc, at, limit);
                if (back >= 0) {
                    return back;
                }
            } else if (view.next(at, p.set[pc])) {
                int longer = view.after(at);
                if (!(remembers && p.y[pc] < 0 && memo.seen(pc + p.size(), longer))) {
                    if (limit > 1) {
                        push(pc, longer, limit == Integer.MAX_VALUE ? limit : limit - 1);
                    }
                    return longer;
                }
            }
        }
        return -1;
    }

    /** The next shorter end of a greedy run from which the following instruction can go on, or -1. */
    private int shorter(int pc, int at, int least) {
        CodeSet wanted = p.op[pc + 1] == Program.ONE ? p.set[pc + 1] : null;
        int pos = at;
        while (pos > least) {
            pos = view.before(pos, least);
            if (wanted == null || wanted.contains(view.codePoint(pos))) {
                spend(at - pos);
                if (pos > least) {
                    push(pc, pos, least);
                }
                return pos;
            }
        }
        spend(at - pos);
        return -1;
    }

    private boolean holds(int pc, int at) {
        return switch (p.op[pc]) {
            case Program.AHEAD_ONE -> view.next(at, p.set[pc]) == (p.x[pc] == 0);
            case Program.BEHIND -> view.previous(at, p.set[pc]) == (p.x[pc] == 0);
            default -> view.edge(p.x[pc], at);
        };
    }

    private void push(int pc, int at, int limit) {
        if (sp + 3 > stack.length) {
            stack = Arrays.copyOf(stack, 2 * stack.length);
        }
        stack[sp] = pc;
        stack[sp + 1] = at;
        stack[sp + 2] = limit;
        sp += 3;
    }
}
