package poot.core.kernel.ir;

import java.util.Objects;

/**
 * A register: assigned once, by a parameter, an instruction or as what a loop carries.
 *
 * @param id which, unique in its kernel
 */
public record Reg(int id, RegisterType type) {
    public Reg {
        Objects.requireNonNull(type, "type");
    }

    @Override
    public String toString() {
        return "%" + id;
    }
}
