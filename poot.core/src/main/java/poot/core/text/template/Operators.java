package poot.core.text.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import poot.core.text.template.TemplateException.PythonError;

/** {@code + - * / // % **} and signs, by Python's rules; results are bounded before they are made. */
final class Operators {
    private Operators() { }

    static Value apply(Run run, Expr.Operator operator, Value left, Value right) throws TemplateException {
        for (Value side : List.of(left, right)) {
            boolean formats = operator == Expr.Operator.MODULO && left instanceof Value.Str;
            if (side instanceof Value.Undefined undefined && !formats) {
                throw run.undefined(undefined);
            }
        }
        BigInteger a = Numbers.integer(left);
        BigInteger b = Numbers.integer(right);
        if (a != null && b != null) {
            return integers(run, operator, a, b);
        }
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return reals(run, operator, Numbers.real(run, left), Numbers.real(run, right));
        }
        return switch (operator) {
            case ADD -> add(run, left, right);
            case MULTIPLY -> b != null ? repeat(run, left, b, right) : a != null ? repeat(run, right, a, left)
                : unrepeatable(run, left, right);
            case MODULO -> left instanceof Value.Str format ? PercentFormat.format(run, format, right)
                : unsupported(run, operator, left, right);
            case SUBTRACT, DIVIDE, FLOOR_DIVIDE, POWER -> unsupported(run, operator, left, right);
        };
    }

    private static Value unsupported(Run run, Expr.Operator operator, Value left, Value right) throws TemplateException {
        throw run.type("unsupported operand type(s) for " + operator.sign() + ": '" + Names.type(left) + "' and '"
            + Names.type(right) + "'");
    }

    private static Value unrepeatable(Run run, Value left, Value right) throws TemplateException {
        for (Value side : List.of(left, right)) {
            if (side instanceof Value.Str || side instanceof Value.Sequence) {
                throw run.type("can't multiply sequence by non-int of type '" + Names.type(side == left ? right : left) + "'");
            }
        }
        return unsupported(run, Expr.Operator.MULTIPLY, left, right);
    }

    private static Value add(Run run, Value left, Value right) throws TemplateException {
        if (left instanceof Value.Str a) {
            if (!(right instanceof Value.Str b)) {
                throw run.type("can only concatenate str (not \"" + Names.type(right) + "\") to str");
            }
            if (a.markup() || b.markup()) {
                a = PythonText.escape(a);
                b = PythonText.escape(b);
            }
            run.make((long) a.text().length() + b.text().length());
            return a.like(a.text() + b.text());
        }
        if (left instanceof Value.Sequence a) {
            if (!(right instanceof Value.Sequence b) || a.isList() != b.isList()) {
                String type = a.isList() ? "list" : "tuple";
                throw run.type("can only concatenate " + type + " (not \"" + Names.type(right) + "\") to " + type);
            }
            run.make((long) a.items().size() + b.items().size());
            List<Value> both = new ArrayList<>(a.items().size() + b.items().size());
            both.addAll(a.items());
            both.addAll(b.items());
            return a.isList() ? Value.list(both) : Value.tuple(both);
        }
        return unsupported(run, Expr.Operator.ADD, left, right);
    }

    private static Value repeat(Run run, Value value, BigInteger times, Value count) throws TemplateException {
        int n = Math.max(0, Numbers.clamp(times));
        if (value instanceof Value.Str str) {
            run.make((long) str.text().length() * n);
            return str.like(str.text().isEmpty() ? "" : str.text().repeat(n));
        }
        if (value instanceof Value.Sequence sequence) {
            run.make((long) sequence.items().size() * n);
            List<Value> items = new ArrayList<>();
            for (int i = 0; i < n && !sequence.items().isEmpty(); i++) {
                items.addAll(sequence.items());
            }
            return sequence.isList() ? Value.list(items) : Value.tuple(items);
        }
        return unsupported(run, Expr.Operator.MULTIPLY, value, count);
    }

    private static Value integers(Run run, Expr.Operator operator, BigInteger a, BigInteger b) throws TemplateException {
        return switch (operator) {
            case ADD -> integer(run, a.add(b));
            case SUBTRACT -> integer(run, a.subtract(b));
            case MULTIPLY -> {
                run.bits((long) a.bitLength() + b.bitLength());
                yield new Value.Int(a.multiply(b));
            }
            case DIVIDE -> new Value.Real(divide(run, a, b));
            case FLOOR_DIVIDE -> {
                if (b.signum() == 0) {
                    throw zero(run, "integer division or modulo by zero");
                }
                BigInteger[] parts = a.divideAndRemainder(b);
                boolean below = parts[1].signum() != 0 && parts[1].signum() != b.signum();
                yield new Value.Int(below ? parts[0].subtract(BigInteger.ONE) : parts[0]);
            }
            case MODULO -> {
                if (b.signum() == 0) {
                    throw zero(run, "integer modulo by zero");
                }
                BigInteger rest = a.mod(b.abs());
                yield new Value.Int(b.signum() < 0 && rest.signum() != 0 ? rest.add(b) : rest);
            }
            case POWER -> power(run, a, b);
        };
    }

    private static Value integer(Run run, BigInteger value) throws TemplateException {
        run.bits(value.bitLength());
        return new Value.Int(value);
    }

    private static double divide(Run run, BigInteger a, BigInteger b) throws TemplateException {
        if (b.signum() == 0) {
            throw zero(run, "division by zero");
        }
        if (a.bitLength() <= 53 && b.bitLength() <= 53) {
            return a.doubleValue() / b.doubleValue();
        }
        run.work((long) a.bitLength() + b.bitLength());
        double quotient = new BigDecimal(a).divide(new BigDecimal(b), new MathContext(800)).doubleValue();
        if (Double.isInfinite(quotient)) {
            throw run.failed(PythonError.OVERFLOW, "integer division result too large for a float");
        }
        return quotient;
    }

    private static Value power(Run run, BigInteger base, BigInteger exponent) throws TemplateException {
        if (exponent.signum() < 0) {
            if (base.signum() == 0) {
                throw zero(run, "0.0 cannot be raised to a negative power");
            }
            return new Value.Real(Math.pow(base.doubleValue(), exponent.doubleValue()));
        }
        if (base.bitLength() <= 1 && base.abs().compareTo(BigInteger.ONE) <= 0) {
            boolean odd = exponent.testBit(0);
            return new Value.Int(exponent.signum() == 0 ? BigInteger.ONE : odd ? base : base.abs());
        }
        run.bits(exponent.bitLength() > 31 ? Long.MAX_VALUE : (long) (base.bitLength() - 1) * exponent.intValue());
        return integer(run, base.pow(exponent.intValue()));
    }

    private static Value reals(Run run, Expr.Operator operator, double a, double b) throws TemplateException {
        return new Value.Real(switch (operator) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> {
                if (b == 0) {
                    throw zero(run, "float division by zero");
                }
                yield a / b;
            }
            case FLOOR_DIVIDE -> {
                if (b == 0) {
                    throw zero(run, "float floor division by zero");
                }
                double rest = modulo(a, b);
                yield Math.rint((a - rest) / b);
            }
            case MODULO -> {
                if (b == 0) {
                    throw zero(run, "float modulo");
                }
                yield modulo(a, b);
            }
            case POWER -> realPower(run, a, b);
        });
    }

    private static double modulo(double a, double b) {
        double rest = a % b;
        if (rest != 0) {
            return rest < 0 != b < 0 ? rest + b : rest;
        }
        return Math.copySign(0.0, b);
    }

    private static double realPower(Run run, double a, double b) throws TemplateException {
        if (a == 0 && b < 0) {
            throw zero(run, "0.0 cannot be raised to a negative power");
        }
        double power = Math.pow(a, b);
        if (Double.isNaN(power) && !Double.isNaN(a) && !Double.isNaN(b)) {
            throw run.fault(new TemplateException.Unsupported(run.template(), run.line(), "a complex number"));
        }
        if (Double.isInfinite(power) && !Double.isInfinite(a) && !Double.isInfinite(b)) {
            throw run.failed(PythonError.OVERFLOW, "(34, 'Numerical result out of range')");
        }
        return a == 1 ? 1 : power;
    }

    static Value sign(Run run, Value value, boolean negate) throws TemplateException {
        BigInteger integer = Numbers.integer(value);
        if (integer != null) {
            return new Value.Int(negate ? integer.negate() : integer);
        }
        if (value instanceof Value.Real(double real)) {
            return new Value.Real(negate ? -real : real);
        }
        throw value instanceof Value.Undefined undefined ? run.undefined(undefined)
            : run.type("bad operand type for unary " + (negate ? "-" : "+") + ": '" + Names.type(value) + "'");
    }

    private static TemplateException zero(Run run, String problem) {
        return run.failed(PythonError.ZERO_DIVISION, problem);
    }
}
