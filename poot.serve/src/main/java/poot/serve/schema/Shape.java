package poot.serve.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields an object may have; every other is refused. */
public final class Shape {
    private final String name;
    private final Map<String, Field> fields;

    private Shape(String name, Map<String, Field> fields) {
        this.name = name;
        this.fields = fields;
    }

    /** A shape of these fields. */
    public static Shape of(String name, Field... fields) {
        return of(name, List.of(fields));
    }

    /** A shape of these fields. */
    public static Shape of(String name, List<Field> fields) {
        Map<String, Field> map = new LinkedHashMap<>();
        for (Field f : fields) {
            if (map.put(f.name(), f) != null) {
                throw new IllegalArgumentException(name + " declares " + f.name() + " twice");
            }
        }
        return new Shape(name, java.util.Collections.unmodifiableMap(map));
    }

    /** This shape and more fields. */
    public Shape with(Field... more) {
        List<Field> all = new ArrayList<>(fields.values());
        all.addAll(List.of(more));
        return of(name, all);
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /** The fields, in the order declared. */
    public List<Field> fields() {
        return List.copyOf(fields.values());
    }

    /** The field of a name. */
    public Optional<Field> field(String field) {
        return Optional.ofNullable(fields.get(field));
    }
}
