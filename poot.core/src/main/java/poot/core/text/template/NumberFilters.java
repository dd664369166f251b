package poot.core.text.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import poot.core.text.template.TemplateException.PythonError;

/** Filters that make numbers. */
final class NumberFilters {
    static final Map<String, Filters.Filter> ALL = Map.of(
        "int", NumberFilters::integer,
        "float", NumberFilters::real,
        "abs", NumberFilters::abs,
        "round", NumberFilters::round,
        "sum", NumberFilters::sum);

    private NumberFilters() { }

    private static Value integer(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "int", 0, "default", "base");
        BigInteger parsed = switch (value) {
            case Value.Str str -> {
                run.work(str.text().length());
                int base = bound.integer(1, 10);
                BigInteger whole = base == 0 || base >= 2 && base <= 36 ? Numbers.parseInteger(str.text(), base) : null;
                yield whole != null ? whole : truncated(Numbers.parseReal(str.text()));
            }
            case Value.Real(double real) -> truncated(real);
            case Value.Undefined undefined -> throw run.undefined(undefined);
            default -> Numbers.integer(value);
        };
        return parsed != null ? new Value.Int(parsed) : bound.get(0, Value.of(0));
    }

    private static BigInteger truncated(Double real) {
        return real == null || Double.isNaN(real) || Double.isInfinite(real) ? null : new BigDecimal(real).toBigInteger();
    }

    private static Value real(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "float", 0, "default");
        if (value instanceof Value.Undefined undefined) {
            throw run.undefined(undefined);
        }
        if (Numbers.isNumber(value)) {
            return new Value.Real(Numbers.real(run, value));
        }
        Double parsed = value instanceof Value.Str str ? Numbers.parseReal(str.text()) : null;
        return parsed != null ? new Value.Real(parsed) : bound.get(0, new Value.Real(0));
    }

    private static Value abs(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        arguments.bind(run, "abs", 0);
        BigInteger integer = Numbers.integer(value);
        if (integer != null) {
            return new Value.Int(integer.abs());
        }
        if (value instanceof Value.Real(double real)) {
            return new Value.Real(Math.abs(real));
        }
        throw run.type("bad operand type for abs(): '" + Names.type(value) + "'");
    }

    private static Value round(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "round", 0, "precision", "method");
        int precision = bound.integer(0, 0);
        String method = bound.get(1) == null ? "common" : bound.text(1);
        if (value instanceof Value.Undefined undefined) {
            throw run.undefined(undefined);
        }
        if (!Numbers.isNumber(value)) {
            throw run.type("type " + Names.type(value) + " doesn't define __round__ method");
        }
        return switch (method) {
            case "common" -> rounded(run, value, precision);
            case "ceil", "floor" -> {
                double scale = Math.pow(10, precision);
                double scaled = Numbers.real(run, value) * scale;
                yield new Value.Real((method.equals("ceil") ? Math.ceil(scaled) : Math.floor(scaled)) / scale);
            }
            default -> throw run.failed(PythonError.FILTER_ARGUMENT, "method must be common, ceil or floor");
        };
    }

    private static Value rounded(Run run, Value value, int precision) throws TemplateException {
        BigInteger integer = Numbers.integer(value);
        if (integer != null) {
            if (precision >= 0) {
                return new Value.Int(integer);
            }
            run.bits(-4L * precision);
            return new Value.Int(new BigDecimal(integer).setScale(precision, RoundingMode.HALF_EVEN).toBigInteger());
        }
        double real = Numbers.real(run, value);
        if (Double.isNaN(real) || Double.isInfinite(real) || precision > 330) {
            return value;
        }
        return new Value.Real(precision < -330 ? Math.copySign(0.0, real)
            : Math.copySign(new BigDecimal(real).setScale(precision, RoundingMode.HALF_EVEN).doubleValue(), real));
    }

    private static Value sum(Evaluator evaluator, Value value, Arguments arguments) throws TemplateException {
        Run run = evaluator.run();
        var bound = arguments.bind(run, "sum", 0, "attribute", "start");
        ItemKey key = ItemKey.of(run, bound.get(0), false);
        Value sum = bound.get(1, Value.of(0));
        if (sum instanceof Value.Str) {
            throw run.type("sum() can't sum strings [use ''.join(seq) instead]");
        }
        Cursor cursor = Iteration.cursor(run, value);
        for (Value item = cursor.next(); item != null; item = cursor.next()) {
            sum = Operators.apply(run, Expr.Operator.ADD, sum, key.of(item));
        }
        return sum;
    }
}
