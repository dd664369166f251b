package poot.api.graph;

import java.util.Objects;

/**
 * The place of a weight in the model, never its spelling in a checkpoint: {@code embedding}, {@code layers.3.attention.query}.
 * Built by scope, outermost first.
 */
public record Role(String path) implements Comparable<Role> {
    public Role {
        Objects.requireNonNull(path);
        if (path.isEmpty()) {
            throw new IllegalArgumentException("empty role");
        }
    }

    /** A role at the top of the model. */
    public static Role of(String name) {
        return new Role(name);
    }

    /** The scope of a layer. */
    public static Role layer(int index) {
        return new Role("layers." + index);
    }

    /** A role inside this scope. */
    public Role in(String name) {
        return new Role(path + "." + name);
    }

    @Override
    public int compareTo(Role other) {
        return path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return path;
    }
}
