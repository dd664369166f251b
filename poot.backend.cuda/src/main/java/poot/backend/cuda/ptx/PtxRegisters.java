package poot.backend.cuda.ptx;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.InvalidKernelException;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** The PTX registers of a kernel: which stand for each of its registers, and how many of each kind there are. */
final class PtxRegisters {
    /** A kind of PTX register. */
    enum Kind {
        PREDICATE("%p", ".pred"), HALF("%h", ".b16"), WORD("%r", ".b32"), FLOAT("%f", ".f32"), ADDRESS("%rd", ".b64");

        private final String prefix;
        private final String type;

        Kind(String prefix, String type) {
            this.prefix = prefix;
            this.type = type;
        }

        /** The type {@code mov} takes. */
        String moved() {
            return type;
        }
    }

    private final Map<Integer, List<String>> names = new HashMap<>();
    private final Map<Integer, Integer> literals = new HashMap<>();
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

    /** A register nothing else uses. */
    String fresh(Kind kind) {
        return kind.prefix + (counts.merge(kind, 1, Integer::sum) - 1);
    }

    /** The PTX register of a new scalar. */
    String define(Reg r) {
        String name = fresh(kind(r));
        names.put(r.id(), List.of(name));
        return name;
    }

    /** The PTX registers of a new scalar or fragment. */
    List<String> defineAll(Reg r) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count(r); i++) {
            all.add(fresh(kind(r)));
        }
        names.put(r.id(), List.copyOf(all));
        return names.get(r.id());
    }

    /** Lets {@code r} be what {@code of} is. */
    void alias(Reg r, Reg of) {
        Integer bits = literals.get(of.id());
        if (bits != null) {
            literals.put(r.id(), bits);
        } else {
            names.put(r.id(), all(of));
        }
    }

    /** Lets {@code r} be a literal. */
    void literal(Reg r, int bits) {
        literals.put(r.id(), bits);
    }

    /** The bits of a literal, null of anything else. */
    Integer literal(Reg r) {
        return literals.get(r.id());
    }

    /** The PTX registers of what is no literal. */
    List<String> all(Reg r) {
        List<String> found = names.get(r.id());
        if (found == null) {
            throw new InvalidKernelException("register " + r + " is read before it is assigned", "validate the kernel");
        }
        return found;
    }

    /** How many of each kind, as declarations. */
    String declarations() {
        StringBuilder out = new StringBuilder();
        counts.forEach((kind, n) -> out.append("\t.reg ").append(kind.type).append(' ').append(kind.prefix).append('<').append(n).append(">;\n"));
        return out.toString();
    }

    static Kind kind(Reg r) {
        return switch (r.type()) {
            case ScalarType t -> switch (t) {
                case BOOL -> Kind.PREDICATE;
                case I32, U32 -> Kind.WORD;
                case F32 -> Kind.FLOAT;
                case BUFFER -> Kind.ADDRESS;
            };
            case Fragment f -> switch (f.element()) {
                case F32 -> Kind.FLOAT;
                default -> Kind.WORD;
            };
        };
    }

    /** How many PTX registers stand for a register. */
    private static int count(Reg r) {
        return switch (r.type()) {
            case ScalarType t -> 1;
            case Fragment f -> MatrixFragments.registers(f);
        };
    }
}
