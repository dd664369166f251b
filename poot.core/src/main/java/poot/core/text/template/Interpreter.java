package poot.core.text.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.core.text.template.Node.MacroDefinition;
import poot.core.text.template.Node.Target;

/**
 * Statements to text, within one run. {@code if} shares its scope with what is around it; loops, macros, call blocks,
 * filter blocks, {@code with}, {@code generation} and block assignments have their own, new in every turn of a loop.
 */
final class Interpreter {
    /** How a list of statements ended. */
    private enum Flow { ON, BREAK, CONTINUE }

    private final Run run;
    private final Evaluator evaluator;

    Interpreter(Run run) {
        this.run = run;
        this.evaluator = new Evaluator(run, this);
    }

    /** Runs statements, appending what they print. */
    void execute(List<Node> body, Scope scope, StringBuilder out) throws TemplateException {
        flow(body, scope, out);
    }

    private Flow flow(List<Node> body, Scope scope, StringBuilder out) throws TemplateException {
        run.enter();
        Flow flow = Flow.ON;
        for (int i = 0; flow == Flow.ON && i < body.size(); i++) {
            run.step();
            flow = statement(body.get(i), scope, out);
        }
        run.leave();
        return flow;
    }

    private Flow statement(Node node, Scope scope, StringBuilder out) throws TemplateException {
        switch (node) {
            case Node.Text text -> print(text.text(), out);
            case Node.Print print -> {
                run.at(print.line());
                print(PythonText.str(run, evaluator.evaluate(print.value(), scope)), out);
            }
            case Node.If conditional -> {
                return conditional(conditional, scope, out);
            }
            case Node.For loop -> loop(loop, scope, out);
            case Node.Assign assign -> {
                run.at(assign.line());
                requireNamespaces(assign.target(), scope);
                assign(assign.target(), evaluator.evaluate(assign.value(), scope), scope);
            }
            case Node.AssignBlock block -> {
                run.at(block.line());
                requireNamespaces(block.target(), scope);
                assign(block.target(), filtered(captured(block.body(), scope), block.filters(), scope), scope);
            }
            case Node.DefineMacro define -> scope.set(define.macro().name(), new Value.Macro(define.macro(), scope));
            case Node.CallBlock block -> {
                run.at(block.line());
                Value called = evaluator.call(block.call(), scope, new Value.Macro(block.caller(), scope));
                print(PythonText.str(run, called), out);
            }
            case Node.FilterBlock block -> {
                run.at(block.line());
                print(PythonText.str(run, filtered(captured(block.body(), scope), block.filters(), scope)), out);
            }
            case Node.With with -> with(with, scope, out);
            case Node.Generation generation -> print(captured(generation.body(), scope).text(), out);
            case Node.Break _ -> {
                return Flow.BREAK;
            }
            case Node.Continue _ -> {
                return Flow.CONTINUE;
            }
        }
        return Flow.ON;
    }

    private void print(String text, StringBuilder out) throws TemplateException {
        run.append(out, text);
    }

    private Value.Str captured(List<Node> body, Scope scope) throws TemplateException {
        StringBuilder text = new StringBuilder();
        execute(body, new Scope(scope), text);
        return Value.of(text.toString());
    }

    private Value filtered(Value value, List<Expr.FilterStep> filters, Scope scope) throws TemplateException {
        Value result = value;
        for (Expr.FilterStep filter : filters) {
            result = evaluator.filter(filter, result, scope);
        }
        return result;
    }

    private Flow conditional(Node.If conditional, Scope scope, StringBuilder out) throws TemplateException {
        for (Node.Branch branch : conditional.branches()) {
            run.at(branch.line());
            if (evaluator.truth(branch.condition(), scope)) {
                return flow(branch.body(), scope, out);
            }
        }
        return flow(conditional.otherwise(), scope, out);
    }

    private void loop(Node.For node, Scope scope, StringBuilder out) throws TemplateException {
        run.at(node.line());
        Value iterable = evaluator.evaluate(node.iterable(), scope);
        Cursor cursor = Iteration.cursor(run, iterable);
        boolean sized = node.filter() == null && !(iterable instanceof Loop);
        Loop loop = new Loop(node.filter() == null ? cursor : filtered(node, cursor, scope),
            sized ? Iteration.lengthOrNone(run, iterable) : -1);
        boolean any = false;
        for (Value item = loop.advance(); item != null; item = loop.advance()) {
            any = true;
            Scope turn = new Scope(scope);
            turn.set("loop", loop);
            assign(node.target(), item, turn);
            if (flow(node.body(), turn, out) == Flow.BREAK) {
                break;
            }
        }
        if (!any) {
            flow(node.otherwise(), new Scope(scope), out);
        }
    }

    private Cursor filtered(Node.For node, Cursor cursor, Scope scope) {
        return () -> {
            for (Value item = cursor.next(); item != null; item = cursor.next()) {
                Scope turn = new Scope(scope);
                assign(node.target(), item, turn);
                if (evaluator.truth(node.filter(), turn)) {
                    return item;
                }
            }
            return null;
        };
    }

    private void with(Node.With with, Scope scope, StringBuilder out) throws TemplateException {
        run.at(with.line());
        Scope inner = new Scope(scope);
        for (int i = 0; i < with.targets().size(); i++) {
            assign(with.targets().get(i), evaluator.evaluate(with.values().get(i), scope), inner);
        }
        execute(with.body(), inner, out);
    }

    private void requireNamespaces(Target target, Scope scope) throws TemplateException {
        switch (target) {
            case Target.Variable _ -> { }
            case Target.Member member -> namespace(member, scope);
            case Target.Unpack unpack -> {
                for (Target part : unpack.targets()) {
                    requireNamespaces(part, scope);
                }
            }
        }
    }

    private Value.Namespace namespace(Target.Member member, Scope scope) throws TemplateException {
        if (scope.find(member.namespace()) instanceof Value.Namespace namespace) {
            return namespace;
        }
        throw run.failed(TemplateException.PythonError.RUNTIME, "cannot assign attribute on non-namespace object");
    }

    private void assign(Target target, Value value, Scope scope) throws TemplateException {
        switch (target) {
            case Target.Variable variable -> scope.set(variable.name(), value);
            case Target.Member member -> namespace(member, scope).members().put(Value.of(member.attribute()), value);
            case Target.Unpack unpack -> {
                if (!Iteration.iterable(value)) {
                    throw run.type("cannot unpack non-iterable " + Names.type(value) + " object");
                }
                int expected = unpack.targets().size();
                Cursor cursor = Iteration.cursor(run, value);
                List<Value> parts = new ArrayList<>();
                for (Value part = cursor.next(); part != null; part = cursor.next()) {
                    if (parts.size() == expected) {
                        throw run.value("too many values to unpack (expected " + expected + ")");
                    }
                    parts.add(part);
                }
                if (parts.size() < expected) {
                    throw run.value("not enough values to unpack (expected " + expected + ", got " + parts.size() + ")");
                }
                for (int i = 0; i < expected; i++) {
                    assign(unpack.targets().get(i), parts.get(i), scope);
                }
            }
        }
    }

    /** Calls a macro: its text, rendered in a new scope within the one it was defined in. */
    Value invoke(Value.Macro macro, Arguments arguments) throws TemplateException {
        run.enter();
        int line = run.line();
        MacroDefinition definition = macro.definition();
        Scope scope = new Scope(macro.scope());
        bind(definition, arguments, scope);
        StringBuilder text = new StringBuilder();
        execute(definition.body(), scope, text);
        run.at(line);
        run.leave();
        return Value.of(text.toString());
    }

    private void bind(MacroDefinition macro, Arguments arguments, Scope scope) throws TemplateException {
        Map<String, Value> named = new LinkedHashMap<>(arguments.named());
        List<Value> positional = arguments.positional();
        List<Node.Parameter> parameters = macro.parameters();
        boolean explicitCaller = false;
        for (int i = 0; i < parameters.size(); i++) {
            Node.Parameter parameter = parameters.get(i);
            explicitCaller |= parameter.name().equals("caller");
            Value value = i < positional.size() ? positional.get(i) : named.remove(parameter.name());
            if (value == null) {
                value = parameter.fallback() != null ? evaluator.evaluate(parameter.fallback(), scope)
                    : Value.Undefined.because("parameter " + PythonText.quote(parameter.name()) + " was not provided");
            }
            scope.set(parameter.name(), value);
        }
        if (macro.readsCaller() && !explicitCaller) {
            Value caller = named.remove("caller");
            scope.set("caller", caller != null ? caller : Value.Undefined.because("No caller defined"));
        }
        String name = PythonText.quote(macro.name());
        if (macro.readsKwargs()) {
            Map<Value, Value> rest = new LinkedHashMap<>();
            named.forEach((key, value) -> rest.put(Value.of(key), value));
            scope.set("kwargs", new Value.Dict(rest));
        } else if (named.containsKey("caller")) {
            throw run.type("macro " + name + " was invoked with two values for the special caller argument. "
                + "This is most likely a bug.");
        } else if (!named.isEmpty()) {
            throw run.type("macro " + name + " takes no keyword argument "
                + PythonText.quote(named.keySet().iterator().next()));
        }
        int extra = Math.max(0, positional.size() - parameters.size());
        if (macro.readsVarargs()) {
            scope.set("varargs", Value.tuple(positional.subList(positional.size() - extra, positional.size())));
        } else if (extra > 0) {
            throw run.type("macro " + name + " takes not more than " + parameters.size() + " argument(s)");
        }
    }
}
