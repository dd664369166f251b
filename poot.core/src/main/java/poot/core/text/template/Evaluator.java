package poot.core.text.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.core.text.template.Expr.CallArguments;
import poot.core.text.template.Expr.FilterStep;

/** Expressions to values, within one run. */
final class Evaluator {
    private final Run run;
    private final Interpreter interpreter;

    Evaluator(Run run, Interpreter interpreter) {
        this.run = run;
        this.interpreter = interpreter;
    }

    Run run() {
        return run;
    }

    Value evaluate(Expr expression, Scope scope) throws TemplateException {
        run.enter();
        Value value = switch (expression) {
            case Expr.Literal literal -> literal.value();
            case Expr.Name name -> {
                Value found = scope.find(name.name());
                yield found != null ? found : Value.Undefined.variable(name.name());
            }
            case Expr.Attribute attribute ->
                Attributes.attribute(run, evaluate(attribute.object(), scope), attribute.name());
            case Expr.Item item -> Attributes.item(run, evaluate(item.object(), scope), evaluate(item.key(), scope));
            case Expr.Slice slice -> Attributes.slice(run, evaluate(slice.object(), scope), optional(slice.start(), scope),
                optional(slice.stop(), scope), optional(slice.step(), scope));
            case Expr.Call call -> call(call, scope, null);
            case Expr.Filtered filtered -> filter(filtered.filter(), evaluate(filtered.subject(), scope), scope);
            case Expr.Test test -> Value.of(Tests.apply(this, test.name(), evaluate(test.subject(), scope),
                arguments(test.arguments(), scope)));
            case Expr.Not not -> Value.of(!truth(not.operand(), scope));
            case Expr.Negate negate -> Operators.sign(run, evaluate(negate.operand(), scope), true);
            case Expr.Plus plus -> Operators.sign(run, evaluate(plus.operand(), scope), false);
            case Expr.Binary binary -> Operators.apply(run, binary.operator(), evaluate(binary.left(), scope),
                evaluate(binary.right(), scope));
            case Expr.And and -> {
                Value left = evaluate(and.left(), scope);
                yield Comparisons.truth(run, left) ? evaluate(and.right(), scope) : left;
            }
            case Expr.Or or -> {
                Value left = evaluate(or.left(), scope);
                yield Comparisons.truth(run, left) ? left : evaluate(or.right(), scope);
            }
            case Expr.Compare compare -> Value.of(compare(compare, scope));
            case Expr.Concat concat -> concat(concat, scope);
            case Expr.Conditional conditional -> conditional(conditional, scope);
            case Expr.Sequence sequence -> {
                List<Value> items = all(sequence.items(), scope);
                yield sequence.tuple() ? Value.tuple(items) : Value.list(items);
            }
            case Expr.Dict dict -> dict(dict, scope);
        };
        run.leave();
        return value;
    }

    boolean truth(Expr condition, Scope scope) throws TemplateException {
        return Comparisons.truth(run, evaluate(condition, scope));
    }

    private Value optional(Expr expression, Scope scope) throws TemplateException {
        return expression == null ? null : evaluate(expression, scope);
    }

    private List<Value> all(List<Expr> expressions, Scope scope) throws TemplateException {
        List<Value> values = new ArrayList<>(expressions.size());
        for (Expr expression : expressions) {
            values.add(evaluate(expression, scope));
        }
        return values;
    }

    private boolean compare(Expr.Compare compare, Scope scope) throws TemplateException {
        Value left = evaluate(compare.first(), scope);
        for (Expr.Link link : compare.links()) {
            Value right = evaluate(link.operand(), scope);
            boolean holds = switch (link.comparison()) {
                case EQUAL -> Comparisons.equal(run, left, right);
                case NOT_EQUAL -> !Comparisons.equal(run, left, right);
                case IN -> Comparisons.contains(run, right, left);
                case NOT_IN -> !Comparisons.contains(run, right, left);
                case LESS, LESS_EQUAL, GREATER, GREATER_EQUAL -> Comparisons.ordered(run, link.comparison(), left, right);
            };
            if (!holds) {
                return false;
            }
            left = right;
        }
        return true;
    }

    private Value concat(Expr.Concat concat, Scope scope) throws TemplateException {
        StringBuilder text = new StringBuilder();
        for (Value part : all(concat.parts(), scope)) {
            run.append(text, PythonText.str(run, part));
        }
        return Value.of(text.toString());
    }

    private Value conditional(Expr.Conditional conditional, Scope scope) throws TemplateException {
        if (truth(conditional.condition(), scope)) {
            return evaluate(conditional.then(), scope);
        }
        return conditional.otherwise() != null ? evaluate(conditional.otherwise(), scope)
            : Value.Undefined.because("the inline if-expression on line " + run.line()
                + " evaluated to false and no else section was defined.");
    }

    private Value dict(Expr.Dict dict, Scope scope) throws TemplateException {
        Map<Value, Value> entries = new LinkedHashMap<>();
        for (Expr.Pair pair : dict.pairs()) {
            Value key = Comparisons.key(run, evaluate(pair.key(), scope));
            entries.put(key, evaluate(pair.value(), scope));
        }
        return new Value.Dict(entries);
    }

    /** The value through a filter. */
    Value filter(FilterStep step, Value subject, Scope scope) throws TemplateException {
        run.at(step.line());
        return Filters.apply(this, step.name(), subject, arguments(step.arguments(), scope));
    }

    /** A call's value; {@code caller} is the body of a call block, or null. */
    Value call(Expr.Call call, Scope scope, Value caller) throws TemplateException {
        Value callee = evaluate(call.callee(), scope);
        Arguments arguments = arguments(call.arguments(), scope);
        if (caller != null) {
            Map<String, Value> named = new LinkedHashMap<>(arguments.named());
            named.put("caller", caller);
            arguments = new Arguments(arguments.positional(), named);
        }
        run.at(call.line());
        return call(callee, arguments);
    }

    Value call(Value callee, Arguments arguments) throws TemplateException {
        return switch (callee) {
            case Value.Function function -> function.body().call(this, arguments);
            case Value.Macro macro -> interpreter.invoke(macro, arguments);
            case Value.Undefined undefined -> throw run.undefined(undefined);
            case Loop _ -> throw run.type("The loop must have the 'recursive' marker to be called recursively.");
            default -> throw run.type("'" + Names.type(callee) + "' object is not callable");
        };
    }

    Arguments arguments(CallArguments arguments, Scope scope) throws TemplateException {
        if (arguments == CallArguments.NONE) {
            return Arguments.NONE;
        }
        List<Value> positional = all(arguments.positional(), scope);
        Map<String, Value> named = new LinkedHashMap<>();
        for (Expr.Keyword keyword : arguments.named()) {
            named.put(keyword.name(), evaluate(keyword.value(), scope));
        }
        if (arguments.spread() != null) {
            List<Value> spread = Iteration.items(run, evaluate(arguments.spread(), scope));
            run.make((long) positional.size() + spread.size());
            positional.addAll(spread);
        }
        if (arguments.spreadNamed() != null) {
            spread(evaluate(arguments.spreadNamed(), scope), named);
        }
        return new Arguments(positional, named);
    }

    private void spread(Value value, Map<String, Value> named) throws TemplateException {
        if (!(value instanceof Value.Dict dict)) {
            throw run.type("argument after ** must be a mapping, not " + Names.type(value));
        }
        run.make(dict.entries().size());
        for (var entry : dict.entries().entrySet()) {
            if (!(entry.getKey() instanceof Value.Str name)) {
                throw run.type("keywords must be strings");
            }
            if (named.put(name.text(), entry.getValue()) != null) {
                throw run.type("got multiple values for keyword argument '" + name.text() + "'");
            }
        }
    }
}
