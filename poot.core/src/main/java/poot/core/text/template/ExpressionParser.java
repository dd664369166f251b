package poot.core.text.template;

import java.util.ArrayList;
import java.util.List;
import poot.core.text.template.Expr.Comparison;
import poot.core.text.template.Expr.Operator;
import poot.core.text.template.Token.Kind;

/**
 * Expressions by jinja2's precedence, loosest first: {@code if else}, {@code or}, {@code and}, {@code not},
 * comparisons, {@code + -}, {@code ~}, {@code * / // %}, {@code **}; what these join is {@link OperandParser}'s.
 */
final class ExpressionParser {
    private final Tokens tokens;
    private final ParseState state;
    private final OperandParser operands;

    ExpressionParser(Tokens tokens, ParseState state) {
        this.tokens = tokens;
        this.state = state;
        this.operands = new OperandParser(tokens, state, this);
    }

    /** The names of what is called and filtered by. */
    OperandParser operands() {
        return operands;
    }

    Expr expression() throws TemplateException {
        state.enter();
        int mark = state.mark();
        Expr value = or();
        while (tokens.skipName("if")) {
            Expr condition = or();
            value = new Expr.Conditional(condition, value, tokens.skipName("else") ? expression() : null);
            state.soften(mark);
        }
        state.leave();
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

    /** What is between parentheses: an expression or a tuple, which may be empty. */
    Expr parenthesised() throws TemplateException {
        return tuple(true, true);
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
        state.enter();
        Expr left = and();
        int links = 0;
        for (; tokens.skipName("or"); links++) {
            state.enter();
            left = new Expr.Or(left, and());
        }
        state.leave(links + 1);
        return left;
    }

    private Expr and() throws TemplateException {
        Expr left = not();
        int links = 0;
        for (; tokens.skipName("and"); links++) {
            state.enter();
            left = new Expr.And(left, not());
        }
        state.leave(links);
        return left;
    }

    private Expr not() throws TemplateException {
        if (!tokens.skipName("not")) {
            return compare();
        }
        state.enter();
        Expr operand = not();
        state.leave();
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
            state.enter();
            Operator operator = tokens.next().text().equals("+") ? Operator.ADD : Operator.SUBTRACT;
            left = new Expr.Binary(operator, left, concat());
        }
        state.leave(links);
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
            state.enter();
            left = new Expr.Binary(operator, left, power());
        }
        state.leave(links);
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
        Expr left = operands.operand(true);
        int links = 0;
        for (; tokens.skipOperator("**"); links++) {
            state.enter();
            left = new Expr.Binary(Operator.POWER, left, operands.operand(true));
        }
        state.leave(links);
        return left;
    }
}
