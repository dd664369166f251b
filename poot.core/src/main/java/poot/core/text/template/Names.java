package poot.core.text.template;

/** What Python calls things, for the texts of errors. */
final class Names {
    private Names() { }

    /** The name of a value's type. */
    static String type(Value value) {
        return switch (value) {
            case Value.None _ -> "NoneType";
            case Value.Bool _ -> "bool";
            case Value.Int _ -> "int";
            case Value.Real _ -> "float";
            case Value.Str str -> str.markup() ? "Markup" : "str";
            case Value.Sequence sequence -> switch (sequence.kind()) {
                case LIST -> "list";
                case TUPLE -> "tuple";
                case GROUP -> "_GroupTuple";
            };
            case Value.Dict _ -> "dict";
            case Value.View view -> switch (view.part()) {
                case KEYS -> "dict_keys";
                case VALUES -> "dict_values";
                case ITEMS -> "dict_items";
            };
            case Value.Range _ -> "range";
            case Value.Undefined _ -> "Undefined";
            case Value.Namespace _ -> "Namespace";
            case Value.Function _ -> "function";
            case Value.Macro _ -> "Macro";
            case Generator generator -> generator.type();
            case Loop _ -> "LoopContext";
        };
    }

    /** How jinja2 says that an undefined was used. */
    static String complaint(Value.Undefined undefined) {
        if (undefined.hint() != null) {
            return undefined.hint();
        }
        if (undefined.object() == null) {
            return PythonText.quote(((Value.Str) undefined.name()).text()) + " is undefined";
        }
        String owner = owner(undefined.object());
        return switch (undefined.name()) {
            case Value.Str name -> "'" + owner + "' has no attribute " + PythonText.quote(name.text());
            case Value.Int index -> owner + " has no element " + index.value();
            case Value.Real index -> owner + " has no element " + NumberText.repr(index.value());
            case Value.None _ -> owner + " has no element None";
            case Value other -> owner + " has no element of type " + type(other);
        };
    }

    private static String owner(Value object) {
        return switch (object) {
            case Value.None _ -> "None";
            case Value.Str str when str.markup() -> "markupsafe.Markup object";
            case Value.Namespace _ -> "jinja2.utils.Namespace object";
            case Value.Macro _ -> "jinja2.runtime.Macro object";
            case Loop _ -> "jinja2.runtime.LoopContext object";
            default -> type(object) + " object";
        };
    }
}
