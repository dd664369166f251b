package poot.serve.bench;

import java.util.stream.Stream;
import poot.api.executor.BufferPlan;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.Kernel;
import poot.api.executor.Program;
import poot.api.graph.Value;

/**
 * What a compiled step is, as planned.
 *
 * @param dispatches  kernels that run
 * @param arenaBytes  bytes of its arena
 * @param movedBytes  bytes of activations that its kernels write to the arena and read from it
 */
public record StepFacts(int dispatches, long arenaBytes, long movedBytes) {
    /** The facts of a program. */
    static StepFacts of(Program program) {
        long moved = program.kernels().stream().flatMap(k -> Stream.concat(k.inputs().stream(), k.outputs().stream()))
                .mapToLong(v -> inArena(v, program.buffers())).sum();
        int run = (int) program.kernels().stream().filter(k -> k.kind() != Kernel.Kind.NONE).count();
        return new StepFacts(run, program.buffers().arenaBytes(), moved);
    }

    private static long inArena(Value value, BufferPlan plan) {
        Place place = plan.places().get(value.id());
        while (place instanceof Place.SameAs same) {
            place = plan.places().get(same.value());
        }
        return place instanceof Place.Arena ? value.type().bytes() : 0;
    }
}
