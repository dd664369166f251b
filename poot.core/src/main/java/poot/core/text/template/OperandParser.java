package poot.core.text.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import poot.core.text.template.Expr.CallArguments;
import poot.core.text.template.Expr.FilterStep;
import poot.core.text.template.Token.Kind;

/** Operands: signs, literals, names, brackets, then {@code .name}, {@code [key]}, calls, filters and tests. */
final class OperandParser {
    /** Longest integer literal, in digits: Python's own bound on reading one. */
    private static final int DIGITS = 4300;

    private final Tokens tokens;
    private final ParseState state;
    private final ExpressionParser expressions;

    OperandParser(Tokens tokens, ParseState state, ExpressionParser expressions) {
        this.tokens = tokens;
        this.state = state;
        this.expressions = expressions;
    }

    /** A signed operand with what follows it, {@code filters} and tests too. */
    Expr operand(boolean filters) throws TemplateException {
        state.enter();
        Expr value;
        if (tokens.skipOperator("-")) {
            value = new Expr.Negate(operand(false));
        } else if (tokens.skipOperator("+")) {
            value = new Expr.Plus(operand(false));
        } else {
            value = primary();
        }
        int links = state.depth();
        value = postfix(value);
        if (filters) {
            value = filtersAndTests(value);
        }
        state.depth(links);
        state.leave();
        return value;
    }

    private Expr primary() throws TemplateException {
        Token token = tokens.next();
        return switch (token.kind()) {
            case NAME -> name(token.text());
            case STRING -> {
                StringBuilder text = new StringBuilder(token.text());
                while (tokens.at(Kind.STRING)) {
                    text.append(tokens.next().text());
                }
                yield new Expr.Literal(Value.of(text.toString()));
            }
            case INTEGER -> new Expr.Literal(integer(token));
            case FLOAT -> new Expr.Literal(new Value.Real(Double.parseDouble(token.text())));
            case OPERATOR -> switch (token.text()) {
                case "(" -> {
                    Expr inner = expressions.parenthesised();
                    tokens.expectOperator(")");
                    yield inner;
                }
                case "[" -> list();
                case "{" -> dict();
                default -> throw tokens.syntax("unexpected " + token.described(), token.line());
            };
            default -> throw tokens.syntax("unexpected " + token.described(), token.line());
        };
    }

    private Expr name(String name) {
        return switch (name) {
            case "true", "True" -> new Expr.Literal(Value.Bool.TRUE);
            case "false", "False" -> new Expr.Literal(Value.Bool.FALSE);
            case "none", "None" -> new Expr.Literal(Value.None.NONE);
            default -> {
                state.reads(name);
                yield new Expr.Name(name);
            }
        };
    }

    private Value integer(Token token) throws TemplateException {
        String text = token.text();
        if (text.length() > DIGITS) {
            throw tokens.syntax("an integer of more than " + DIGITS + " digits", token.line());
        }
        int radix = text.length() < 2 ? 10 : switch (text.charAt(1) | 0x20) {
            case 'x' -> 16;
            case 'o' -> 8;
            case 'b' -> 2;
            default -> 10;
        };
        return new Value.Int(new BigInteger(radix == 10 ? text : text.substring(2), radix));
    }

    private Expr list() throws TemplateException {
        List<Expr> items = new ArrayList<>();
        while (!tokens.skipOperator("]")) {
            if (!items.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator("]")) {
                    break;
                }
            }
            items.add(expressions.expression());
        }
        return new Expr.Sequence(List.copyOf(items), false);
    }

    private Expr dict() throws TemplateException {
        List<Expr.Pair> pairs = new ArrayList<>();
        while (!tokens.skipOperator("}")) {
            if (!pairs.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator("}")) {
                    break;
                }
            }
            Expr key = expressions.expression();
            tokens.expectOperator(":");
            pairs.add(new Expr.Pair(key, expressions.expression()));
        }
        return new Expr.Dict(List.copyOf(pairs));
    }

    private Expr postfix(Expr start) throws TemplateException {
        Expr value = start;
        while (true) {
            if (tokens.atOperator(".")) {
                state.enter();
                tokens.next();
                Token name = tokens.next();
                value = switch (name.kind()) {
                    case NAME -> new Expr.Attribute(value, name.text());
                    case INTEGER -> new Expr.Item(value, new Expr.Literal(integer(name)));
                    default -> throw tokens.syntax("expected name or number, got " + name.described(), name.line());
                };
            } else if (tokens.atOperator("[")) {
                state.enter();
                value = subscript(value);
            } else if (tokens.atOperator("(")) {
                state.enter();
                value = call(value);
            } else {
                return value;
            }
        }
    }

    private Expr call(Expr callee) throws TemplateException {
        int line = tokens.current().line();
        return new Expr.Call(callee, arguments(), line);
    }

    private Expr subscript(Expr object) throws TemplateException {
        tokens.expectOperator("[");
        Expr start = tokens.atOperator(":") ? null : expressions.expression();
        if (tokens.skipOperator("]")) {
            return new Expr.Item(object, start);
        }
        if (tokens.atOperator(",")) {
            List<Expr> keys = new ArrayList<>(List.of(start));
            while (tokens.skipOperator(",")) {
                keys.add(expressions.expression());
            }
            tokens.expectOperator("]");
            return new Expr.Item(object, new Expr.Sequence(List.copyOf(keys), true));
        }
        tokens.expectOperator(":");
        Expr stop = tokens.atOperator(":") || tokens.atOperator("]") ? null : expressions.expression();
        Expr step = tokens.skipOperator(":") && !tokens.atOperator("]") ? expressions.expression() : null;
        tokens.expectOperator("]");
        return new Expr.Slice(object, start, stop, step);
    }

    CallArguments arguments() throws TemplateException {
        tokens.expectOperator("(");
        List<Expr> positional = new ArrayList<>();
        List<Expr.Keyword> named = new ArrayList<>();
        Expr spread = null;
        Expr spreadNamed = null;
        for (boolean first = true; !tokens.atOperator(")"); first = false) {
            if (!first) {
                tokens.expectOperator(",");
                if (tokens.atOperator(")")) {
                    break;
                }
            }
            boolean ordered;
            if (tokens.skipOperator("*")) {
                ordered = spread == null && spreadNamed == null;
                spread = expressions.expression();
            } else if (tokens.skipOperator("**")) {
                ordered = spreadNamed == null;
                spreadNamed = expressions.expression();
            } else if (tokens.at(Kind.NAME) && tokens.look().isOperator("=")) {
                ordered = spreadNamed == null;
                String name = tokens.next().text();
                tokens.next();
                named.add(new Expr.Keyword(name, expressions.expression()));
            } else {
                ordered = spread == null && spreadNamed == null && named.isEmpty();
                positional.add(expressions.expression());
            }
            if (!ordered) {
                throw tokens.syntax("invalid syntax for function call expression");
            }
        }
        tokens.expectOperator(")");
        return new CallArguments(List.copyOf(positional), List.copyOf(named), spread, spreadNamed);
    }

    private Expr filtersAndTests(Expr start) throws TemplateException {
        Expr value = start;
        while (true) {
            if (tokens.skipOperator("|")) {
                state.enter();
                value = new Expr.Filtered(value, filter());
            } else if (tokens.skipName("is")) {
                state.enter();
                value = test(value);
            } else if (tokens.atOperator("(")) {
                state.enter();
                value = call(value);
            } else {
                return value;
            }
        }
    }

    /** A filter's name and arguments, after its {@code |}. */
    FilterStep filter() throws TemplateException {
        int line = tokens.current().line();
        String name = dottedName();
        if (!Filters.exists(name)) {
            state.unknown(Filters.known(name) ? tokens.unsupported("the filter '" + name + "'", line)
                : tokens.syntax("No filter named '" + name + "'.", line));
        }
        return new FilterStep(name, tokens.atOperator("(") ? arguments() : CallArguments.NONE, line);
    }

    private Expr test(Expr subject) throws TemplateException {
        boolean negated = tokens.skipName("not");
        int line = tokens.current().line();
        String name = dottedName();
        if (!Tests.exists(name)) {
            state.unknown(tokens.syntax("No test named '" + name + "'.", line));
        }
        CallArguments arguments = CallArguments.NONE;
        if (tokens.atOperator("(")) {
            arguments = arguments();
        } else if (startsOperand()) {
            if (tokens.atName("is")) {
                throw tokens.syntax("You cannot chain multiple tests with is");
            }
            state.enter();
            arguments = new CallArguments(List.of(postfix(primary())), List.of(), null, null);
            state.leave();
        }
        Expr test = new Expr.Test(subject, name, arguments);
        return negated ? new Expr.Not(test) : test;
    }

    private boolean startsOperand() {
        return switch (tokens.current().kind()) {
            case STRING, INTEGER, FLOAT -> true;
            case NAME -> !tokens.atName("else") && !tokens.atName("or") && !tokens.atName("and");
            case OPERATOR -> tokens.atOperator("[") || tokens.atOperator("{");
            default -> false;
        };
    }

    private String dottedName() throws TemplateException {
        StringBuilder name = new StringBuilder(tokens.expect(Kind.NAME).text());
        while (tokens.skipOperator(".")) {
            name.append('.').append(tokens.expect(Kind.NAME).text());
        }
        return name.toString();
    }
}
