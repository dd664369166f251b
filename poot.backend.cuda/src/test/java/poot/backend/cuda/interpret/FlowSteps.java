package poot.backend.cuda.interpret;

/** Branches, barriers, the end. */
final class FlowSteps {
    private FlowSteps() {}

    private record Flow(Kind kind) implements Step {
        @Override
        public void run(Warp w) {
            // What it means is for the whole block.
        }
    }

    private record Branch(int predicate, boolean not, boolean uniform, int target) implements Step {
        @Override
        public void run(Warp w) {
            int taken = predicate < 0 ? w.mask : w.mask & (not ? ~w.predicates[predicate] : w.predicates[predicate]);
            if (uniform && taken != 0 && taken != w.mask) {
                throw new PtxFault("lanes part at a branch said to be uniform");
            }
            w.part(taken, target, w.pc + 1);
        }

        @Override
        public Kind kind() {
            return Kind.BRANCH;
        }
    }

    static Step of(PtxSource source, PtxSource.Line line) {
        return switch (line.op().getFirst()) {
            case "ret" -> new Flow(Step.Kind.END);
            case "bar" -> new Flow(Step.Kind.BARRIER);
            default -> {
                Integer target = source.labels().get(line.operands().getFirst());
                if (target == null) {
                    throw line.fault("no such label");
                }
                String guard = line.guard();
                boolean not = guard != null && guard.startsWith("!");
                int p = guard == null ? -1 : Operands.number(line, guard.substring(not ? 1 : 0), "%p");
                yield new Branch(p, not, line.op().contains("uni"), target);
            }
        };
    }
}
