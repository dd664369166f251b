package poot.core.kernel.ir;

import static poot.core.kernel.ir.Operands.of;

import java.util.List;

/** One step of a kernel. Each assigns {@link #results()}, reads {@link #operands()} and holds {@link #blocks()}. */
public sealed interface Instruction {
    /** The registers assigned for what follows. */
    default List<Reg> results() {
        return List.of();
    }

    /** The registers read, those of inner blocks not among them. */
    List<Reg> operands();

    /** The blocks within. */
    default List<Block> blocks() {
        return List.of();
    }

    /** An instruction with exactly one result. */
    sealed interface Valued extends Instruction {
        /** The register assigned. */
        Reg result();

        @Override
        default List<Reg> results() {
            return List.of(result());
        }
    }

    /** A literal: {@code bits} of I32, U32, F32, or 0 or 1 of BOOL. */
    record Constant(Reg result, int bits) implements Valued {
        @Override
        public List<Reg> operands() {
            return List.of();
        }
    }

    /** The thread's place. */
    record ReadBuiltin(Reg result, Builtin builtin) implements Valued {
        @Override
        public List<Reg> operands() {
            return List.of();
        }
    }

    /** {@code op a}. */
    record Unary(Reg result, UnaryOp op, Reg a) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a);
        }
    }

    /** {@code a op b}. */
    record Binary(Reg result, BinaryOp op, Reg a, Reg b) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a, b);
        }
    }

    /** {@code a op b}, BOOL. */
    record Compare(Reg result, Comparison op, Reg a, Reg b) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a, b);
        }
    }

    /** {@code a * b + c} of F32, rounded once. */
    record Fma(Reg result, Reg a, Reg b, Reg c) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a, b, c);
        }
    }

    /** {@code condition ? then : otherwise}, both evaluated; of any scalar type. */
    record Select(Reg result, Reg condition, Reg then, Reg otherwise) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(condition, then, otherwise);
        }
    }

    /** Another type. */
    record Convert(Reg result, Conversion op, Reg a) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a);
        }
    }

    /** {@code accumulator + sum_i a[i] * b[i]} over the four signed bytes of each of two U32; I32, wrapping. */
    record Dot4(Reg result, Reg a, Reg b, Reg accumulator) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a, b, accumulator);
        }
    }

    /** {@code buffer + count * strideBytes} in 64 bits, count U32; no access may leave the parameter's buffer. */
    record Advance(Reg result, Reg buffer, Reg count, long strideBytes) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(buffer, count);
        }
    }

    /** 1, 2 or 4 elements in a row, from {@code place} on. */
    record Load(List<Reg> results, Place place) implements Instruction {
        public Load {
            results = List.copyOf(results);
        }

        @Override
        public List<Reg> operands() {
            return place.operands();
        }
    }

    /** 1, 2 or 4 elements in a row, from {@code place} on. */
    record Store(Place place, List<Reg> values) implements Instruction {
        public Store {
            values = List.copyOf(values);
        }

        @Override
        public List<Reg> operands() {
            return of(place, values);
        }
    }

    /** Does {@code op} with a U32 in memory in one step; the result is what was there before. Orders nothing else. */
    record Atomic(Reg result, AtomicOp op, Place place, Reg value) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(place, List.of(value));
        }
    }

    /** Every thread of the workgroup arrives before one goes on; what they wrote to shared and device memory is then seen by all. */
    record Barrier() implements Instruction {
        @Override
        public List<Reg> operands() {
            return List.of();
        }
    }

    /** The lanes of the subgroup joined; the same for each. In flow that is uniform in the subgroup. */
    record SubgroupReduce(Reg result, ReduceOp op, Reg a) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a);
        }
    }

    /** The value of {@code a} in lane {@code lane} (U32, below the subgroup's size) of the subgroup; of any number type. */
    record Shuffle(Reg result, Reg a, Reg lane) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a, lane);
        }
    }

    /** The value of {@code a} in lane {@code LANE ^ mask}, mask between 1 and the subgroup's size. */
    record ShuffleXor(Reg result, Reg a, int mask) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a);
        }
    }

    /** The value of {@code a} in lane 0. */
    record Broadcast(Reg result, Reg a) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a);
        }
    }

    /**
     * Begins to copy {@code bytes} (4, 8 or 16, both ends aligned to as much) of device memory to shared memory. The
     * shared bytes are undefined until the thread's {@link AwaitCopies}, and the device bytes must not change till then.
     */
    record CopyAsync(Place.Shared to, Place.Global from, int bytes) implements Instruction {
        @Override
        public List<Reg> operands() {
            return of(to, from.operands());
        }
    }

    /** Makes a group of the copies that the thread began since the last one. In flow uniform in the workgroup. */
    record CommitCopies() implements Instruction {
        @Override
        public List<Reg> operands() {
            return List.of();
        }
    }

    /** Waits until at most {@code pending} of the thread's groups are unfinished; other threads see theirs after a barrier. Uniform flow. */
    record AwaitCopies(int pending) implements Instruction {
        @Override
        public List<Reg> operands() {
            return List.of();
        }
    }

    /** A fragment of one value: F32 or, for integers, I32. Like all of fragments in flow that is uniform in the subgroup. */
    record FragmentFill(Reg result, Reg value) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(value);
        }
    }

    /**
     * A fragment from memory whose elements have the fragment's type, {@code stride} (U32) elements from one row
     * (or column) to the next; place and stride are the same in the subgroup and multiples of 16 bytes.
     */
    record FragmentLoad(Reg result, Place place, Reg stride, Layout layout) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(place, List.of(stride));
        }
    }

    /** {@code accumulator + a * b}: products exact, sums in the accumulator's type, in an order that is the device's affair. */
    record FragmentMultiply(Reg result, Reg a, Reg b, Reg accumulator) implements Valued {
        @Override
        public List<Reg> operands() {
            return of(a, b, accumulator);
        }
    }

    /** An accumulator to memory, as {@link FragmentLoad} reads it. */
    record FragmentStore(Reg fragment, Place place, Reg stride, Layout layout) implements Instruction {
        @Override
        public List<Reg> operands() {
            return of(place, List.of(stride, fragment));
        }
    }

    /** {@code then} where the condition (BOOL) holds, {@code otherwise} elsewhere; results are what the block run yields. */
    record If(List<Reg> results, Reg condition, Block then, Block otherwise) implements Instruction {
        public If {
            results = List.copyOf(results);
        }

        @Override
        public List<Reg> operands() {
            return of(condition);
        }

        @Override
        public List<Block> blocks() {
            return List.of(then, otherwise);
        }
    }

    /**
     * {@code for (variable = from; variable < to; variable += step)}: all U32 or all I32, step above 0, no sum wrapping.
     * {@code carried} begins as {@code initial}, then is what the body yields; results are what it is at last.
     */
    record For(List<Reg> results, Reg variable, Reg from, Reg to, Reg step, List<Reg> carried, List<Reg> initial, Block body)
            implements Instruction {
        public For {
            results = List.copyOf(results);
            carried = List.copyOf(carried);
            initial = List.copyOf(initial);
        }

        @Override
        public List<Reg> operands() {
            return Operands.join(List.of(from, to, step), initial);
        }

        @Override
        public List<Block> blocks() {
            return List.of(body);
        }
    }

    /**
     * {@code while (condition)}: the block {@code condition} yields one BOOL; {@code body} may read what it assigned.
     * {@code carried} begins as {@code initial}, then is what the body yields; results are what it is at last.
     */
    record While(List<Reg> results, List<Reg> carried, List<Reg> initial, Block condition, Block body) implements Instruction {
        public While {
            results = List.copyOf(results);
            carried = List.copyOf(carried);
            initial = List.copyOf(initial);
        }

        @Override
        public List<Reg> operands() {
            return initial;
        }

        @Override
        public List<Block> blocks() {
            return List.of(condition, body);
        }
    }
}
