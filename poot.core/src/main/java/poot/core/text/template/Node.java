package poot.core.text.template;

import java.util.List;

/** A statement of a template. */
sealed interface Node {
    /** Template text as it stands. */
    record Text(String text) implements Node { }

    record Print(Expr value, int line) implements Node { }

    /** {@code if}/{@code elif} branches in order, then {@code else}. */
    record If(List<Branch> branches, List<Node> otherwise) implements Node { }

    record Branch(Expr condition, List<Node> body, int line) { }

    /** {@code for target in iterable if filter}; {@code filter} is null where absent, {@code otherwise} runs for none. */
    record For(Target target, Expr iterable, Expr filter, List<Node> body, List<Node> otherwise, int line)
        implements Node { }

    record Assign(Target target, Expr value, int line) implements Node { }

    record AssignBlock(Target target, List<Expr.FilterStep> filters, List<Node> body, int line) implements Node { }

    record DefineMacro(MacroDefinition macro) implements Node { }

    record CallBlock(Expr.Call call, MacroDefinition caller, int line) implements Node { }

    record FilterBlock(List<Expr.FilterStep> filters, List<Node> body, int line) implements Node { }

    record With(List<Target> targets, List<Expr> values, List<Node> body, int line) implements Node { }

    /** {@code generation}: what the assistant says; rendered in a scope of its own. */
    record Generation(List<Node> body) implements Node { }

    record Break() implements Node { }

    record Continue() implements Node { }

    /** What can be assigned to. */
    sealed interface Target {
        record Variable(String name) implements Target { }

        /** {@code namespace.attribute}. */
        record Member(String namespace, String attribute) implements Target { }

        record Unpack(List<Target> targets) implements Target { }
    }

    /** A macro's parameter; {@code fallback} is null where it has no default. */
    record Parameter(String name, Expr fallback) { }

    /** A macro, or the body of a call block ({@code name} is then "caller"); the flags say which specials it reads. */
    record MacroDefinition(String name, List<Parameter> parameters, List<Node> body,
                           boolean readsCaller, boolean readsVarargs, boolean readsKwargs) { }
}
