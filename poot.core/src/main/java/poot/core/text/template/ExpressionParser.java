package poot.core.text.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import poot.core.text.template.Expr.CallArguments;
import poot.core.text.template.Expr.Comparison;
import poot.core.text.template.Expr.FilterStep;
import poot.core.text.template.Expr.Operator;
import poot.core.text.template.TemplateException.Limit;
import poot.core.text.template.TemplateException.LimitExceeded;
import poot.core.text.template.Token.Kind;

/**
 * Expressions by jinja2's precedence, loosest first: {@code if else}, {@code or}, {@code and}, {@code not},
 * comparisons, {@code + -}, {@code ~}, {@code * / // %}, {@code **}, signs, then postfix, filters and tests.
 */
final class ExpressionParser {
    /** Longest integer literal, in digits: Python's own bound on reading one. */
    private static final int DIGITS = 4300;

    private final Tokens tokens;
    private final int maxDepth;
    private int depth;
    /** Variables read since the start; a macro looks here for the special names its body uses. */
    private Set<String> read = new HashSet<>();
    /** Filters and tests that do not exist, met where they fail at once and not only when reached. */
    private List<TemplateException> unknown = new ArrayList<>();

    ExpressionParser(Tokens tokens, int maxDepth) {
        this.tokens = tokens;
        this.maxDepth = maxDepth;
    }

    private void enter() throws TemplateException {
        enter(1);
    }

    private void leave() {
        leave(1);
    }

    /** Deeper by as many levels as the caller's recursion is worth; every recursion of the parsers passes here. */
    void enter(int levels) throws TemplateException {
        depth += levels;
        if (depth > maxDepth) {
            throw new TemplateException(
                new LimitExceeded(tokens.template(), tokens.current().line(), Limit.DEPTH, maxDepth));
        }
    }

    void leave(int levels) {
        depth -= levels;
    }

    Set<String> swapRead(Set<String> names) {
        Set<String> before = read;
        read = names;
        return before;
    }

    List<TemplateException> swapUnknown(List<TemplateException> faults) {
        List<TemplateException> before = unknown;
        unknown = faults;
        return before;
    }

    /** A mark to {@link #soften} back to. */
    int mark() {
        return unknown.size();
    }

    /** What was unknown since the mark stands under a condition: it fails when reached. */
    void soften(int mark) {
        unknown.subList(mark, unknown.size()).clear();
    }

    Expr expression() throws TemplateException {
        enter();
        int mark = mark();
        Expr value = or();
        while (tokens.skipName("if")) {
            Expr condition = or();
            value = new Expr.Conditional(condition, value, tokens.skipName("else") ? expression() : null);
            soften(mark);
        }
        leave();
        return value;
    }

    /** An expression without {@code if else}, as {@code for … in} and {@code if} take it, or a tuple of such. */
    Expr unconditionalTuple() throws TemplateException {
        return tuple(false, false);
    }

    /** An expression, or a tuple without parentheses. */
    Expr tuple() throws TemplateException {
        return tuple(true, false);
    }

    private Expr tuple(boolean conditional, boolean parenthesised) throws TemplateException {
        List<Expr> items = new ArrayList<>();
        boolean tuple = false;
        while (!tupleEnds()) {
            items.add(conditional ? expression() : or());
            if (!tokens.skipOperator(",")) {
                break;
            }
            tuple = true;
        }
        if (!tuple && !items.isEmpty()) {
            return items.getFirst();
        }
        if (!tuple && !parenthesised) {
            throw tokens.syntax("expected an expression, got " + tokens.current().described());
        }
        return new Expr.Sequence(List.copyOf(items), true);
    }

    private boolean tupleEnds() {
        return tokens.at(Kind.PRINT_END) || tokens.at(Kind.BLOCK_END) || tokens.atOperator(")");
    }

    private Expr or() throws TemplateException {
        enter();
        Expr left = and();
        int links = 0;
        for (; tokens.skipName("or"); links++) {
            enter();
            left = new Expr.Or(left, and());
        }
        depth -= links + 1;
        return left;
    }

    private Expr and() throws TemplateException {
        Expr left = not();
        int links = 0;
        for (; tokens.skipName("and"); links++) {
            enter();
            left = new Expr.And(left, not());
        }
        depth -= links;
        return left;
    }

    private Expr not() throws TemplateException {
        if (!tokens.skipName("not")) {
            return compare();
        }
        enter();
        Expr operand = not();
        leave();
        return new Expr.Not(operand);
    }

    private Expr compare() throws TemplateException {
        Expr first = sum();
        List<Expr.Link> links = new ArrayList<>();
        for (Comparison comparison = comparison(); comparison != null; comparison = comparison()) {
            links.add(new Expr.Link(comparison, sum()));
        }
        return links.isEmpty() ? first : new Expr.Compare(first, List.copyOf(links));
    }

    private Comparison comparison() {
        if (tokens.atName("not") && tokens.look().isName("in")) {
            tokens.next();
            tokens.next();
            return Comparison.NOT_IN;
        }
        if (tokens.skipName("in")) {
            return Comparison.IN;
        }
        Comparison comparison = !tokens.at(Kind.OPERATOR) ? null : switch (tokens.current().text()) {
            case "==" -> Comparison.EQUAL;
            case "!=" -> Comparison.NOT_EQUAL;
            case "<" -> Comparison.LESS;
            case "<=" -> Comparison.LESS_EQUAL;
            case ">" -> Comparison.GREATER;
            case ">=" -> Comparison.GREATER_EQUAL;
            default -> null;
        };
        if (comparison != null) {
            tokens.next();
        }
        return comparison;
    }

    private Expr sum() throws TemplateException {
        Expr left = concat();
        int links = 0;
        for (; tokens.atOperator("+") || tokens.atOperator("-"); links++) {
            enter();
            Operator operator = tokens.next().text().equals("+") ? Operator.ADD : Operator.SUBTRACT;
            left = new Expr.Binary(operator, left, concat());
        }
        depth -= links;
        return left;
    }

    private Expr concat() throws TemplateException {
        Expr first = product();
        if (!tokens.atOperator("~")) {
            return first;
        }
        List<Expr> parts = new ArrayList<>(List.of(first));
        while (tokens.skipOperator("~")) {
            parts.add(product());
        }
        return new Expr.Concat(List.copyOf(parts));
    }

    private Expr product() throws TemplateException {
        Expr left = power();
        int links = 0;
        for (Operator operator = productOperator(); operator != null; operator = productOperator(), links++) {
            enter();
            left = new Expr.Binary(operator, left, power());
        }
        depth -= links;
        return left;
    }

    private Operator productOperator() {
        Operator operator = !tokens.at(Kind.OPERATOR) ? null : switch (tokens.current().text()) {
            case "*" -> Operator.MULTIPLY;
            case "/" -> Operator.DIVIDE;
            case "//" -> Operator.FLOOR_DIVIDE;
            case "%" -> Operator.MODULO;
            default -> null;
        };
        if (operator != null) {
            tokens.next();
        }
        return operator;
    }

    private Expr power() throws TemplateException {
        Expr left = unary(true);
        int links = 0;
        for (; tokens.skipOperator("**"); links++) {
            enter();
            left = new Expr.Binary(Operator.POWER, left, unary(true));
        }
        depth -= links;
        return left;
    }

    private Expr unary(boolean filters) throws TemplateException {
        enter();
        Expr value;
        if (tokens.skipOperator("-")) {
            value = new Expr.Negate(unary(false));
        } else if (tokens.skipOperator("+")) {
            value = new Expr.Plus(unary(false));
        } else {
            value = primary();
        }
        int links = depth;
        value = postfix(value);
        if (filters) {
            value = filtersAndTests(value);
        }
        depth = links;
        leave();
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
                    Expr inner = tuple(true, true);
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
                read.add(name);
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
            items.add(expression());
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
            Expr key = expression();
            tokens.expectOperator(":");
            pairs.add(new Expr.Pair(key, expression()));
        }
        return new Expr.Dict(List.copyOf(pairs));
    }

    private Expr postfix(Expr start) throws TemplateException {
        Expr value = start;
        while (true) {
            if (tokens.atOperator(".")) {
                enter();
                tokens.next();
                Token name = tokens.next();
                value = switch (name.kind()) {
                    case NAME -> new Expr.Attribute(value, name.text());
                    case INTEGER -> new Expr.Item(value, new Expr.Literal(integer(name)));
                    default -> throw tokens.syntax("expected name or number, got " + name.described(), name.line());
                };
            } else if (tokens.atOperator("[")) {
                enter();
                value = subscript(value);
            } else if (tokens.atOperator("(")) {
                enter();
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
        Expr start = tokens.atOperator(":") ? null : expression();
        if (tokens.skipOperator("]")) {
            return new Expr.Item(object, start);
        }
        if (tokens.atOperator(",")) {
            List<Expr> keys = new ArrayList<>(List.of(start));
            while (tokens.skipOperator(",")) {
                keys.add(expression());
            }
            tokens.expectOperator("]");
            return new Expr.Item(object, new Expr.Sequence(List.copyOf(keys), true));
        }
        tokens.expectOperator(":");
        Expr stop = tokens.atOperator(":") || tokens.atOperator("]") ? null : expression();
        Expr step = tokens.skipOperator(":") && !tokens.atOperator("]") ? expression() : null;
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
                spread = expression();
            } else if (tokens.skipOperator("**")) {
                ordered = spreadNamed == null;
                spreadNamed = expression();
            } else if (tokens.at(Kind.NAME) && tokens.look().isOperator("=")) {
                ordered = spreadNamed == null;
                String name = tokens.next().text();
                tokens.next();
                named.add(new Expr.Keyword(name, expression()));
            } else {
                ordered = spread == null && spreadNamed == null && named.isEmpty();
                positional.add(expression());
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
                enter();
                value = new Expr.Filtered(value, filter());
            } else if (tokens.skipName("is")) {
                enter();
                value = test(value);
            } else if (tokens.atOperator("(")) {
                enter();
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
            unknown.add(Filters.known(name) ? tokens.unsupported("the filter '" + name + "'", line)
                : tokens.syntax("No filter named '" + name + "'.", line));
        }
        return new FilterStep(name, tokens.atOperator("(") ? arguments() : CallArguments.NONE, line);
    }

    private Expr test(Expr subject) throws TemplateException {
        boolean negated = tokens.skipName("not");
        int line = tokens.current().line();
        String name = dottedName();
        if (!Tests.exists(name)) {
            unknown.add(tokens.syntax("No test named '" + name + "'.", line));
        }
        CallArguments arguments = CallArguments.NONE;
        if (tokens.atOperator("(")) {
            arguments = arguments();
        } else if (startsOperand()) {
            if (tokens.atName("is")) {
                throw tokens.syntax("You cannot chain multiple tests with is");
            }
            enter();
            arguments = new CallArguments(List.of(postfix(primary())), List.of(), null, null);
            leave();
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
