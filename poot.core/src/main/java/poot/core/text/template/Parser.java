package poot.core.text.template;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import poot.core.text.template.Node.MacroDefinition;
import poot.core.text.template.Node.Parameter;
import poot.core.text.template.Node.Target;
import poot.core.text.template.Token.Kind;

/** Tokens to statements. Recursion is bounded by the depth limit; inheritance and inclusion are refused. */
final class Parser {
    private static final Set<String> REFUSED =
        Set.of("include", "import", "from", "extends", "block", "autoescape", "do", "trans", "debug");
    private static final Set<String> CONSTANTS = Set.of("true", "false", "none", "True", "False", "None");

    /** How many levels of expressions a nested block is worth. */
    private static final int BLOCK_LEVELS = 4;

    private final Tokens tokens;
    private final ParseState state;
    private final ExpressionParser expressions;
    /** How many loops enclose the statement, within its macro. */
    private int loops;

    private Parser(Tokens tokens, int maxDepth) {
        this.tokens = tokens;
        this.state = new ParseState(tokens, maxDepth);
        this.expressions = new ExpressionParser(tokens, state);
    }

    /** The statements of a whole template. */
    static List<Node> parse(Tokens tokens, int maxDepth) throws TemplateException {
        Parser parser = new Parser(tokens, maxDepth);
        List<Node> body = parser.statements(Set.of());
        parser.refuseUnknown(List.of());
        return body;
    }

    /** Statements up to a block that begins with one of {@code ends}, whose name is then the current token. */
    private List<Node> statements(Set<String> ends) throws TemplateException {
        state.enter(BLOCK_LEVELS);
        int opened = tokens.current().line();
        List<Node> body = new ArrayList<>();
        while (!tokens.at(Kind.END)) {
            Token token = tokens.next();
            switch (token.kind()) {
                case DATA -> body.add(new Node.Text(token.text()));
                case PRINT_BEGIN -> {
                    body.add(new Node.Print(expressions.tuple(), token.line()));
                    tokens.expect(Kind.PRINT_END);
                }
                case BLOCK_BEGIN -> {
                    if (tokens.at(Kind.NAME) && ends.contains(tokens.current().text())) {
                        state.leave(BLOCK_LEVELS);
                        return List.copyOf(body);
                    }
                    body.add(statement());
                    tokens.expect(Kind.BLOCK_END);
                }
                default -> throw tokens.syntax("unexpected " + token.described(), token.line());
            }
        }
        if (!ends.isEmpty()) {
            throw tokens.syntax("unexpected end of template; the block opened here needs "
                + String.join(" or ", ends.stream().sorted().toList()), opened);
        }
        state.leave(BLOCK_LEVELS);
        return List.copyOf(body);
    }

    /** The rest of a tag, a body, and the name of its end; the end's own tag is finished by the caller. */
    private List<Node> body(String... ends) throws TemplateException {
        tokens.skipOperator(":");
        tokens.expect(Kind.BLOCK_END);
        return statements(Set.of(ends));
    }

    private List<Node> closedBody(String end) throws TemplateException {
        List<Node> body = body(end);
        tokens.next();
        return body;
    }

    /** A body whose unknown filters fail at once, though the statement stand under a condition. */
    private List<Node> scopedBody(String... ends) throws TemplateException {
        List<TemplateException> outer = state.swapUnknown(new ArrayList<>());
        List<Node> body = body(ends);
        refuseUnknown(outer);
        return body;
    }

    private void refuseUnknown(List<TemplateException> outer) throws TemplateException {
        List<TemplateException> unknown = state.swapUnknown(outer);
        if (!unknown.isEmpty()) {
            throw unknown.getFirst();
        }
    }

    private Node statement() throws TemplateException {
        Token tag = tokens.expect(Kind.NAME);
        int line = tag.line();
        return switch (tag.text()) {
            case "if" -> conditional(line);
            case "for" -> loop(line);
            case "set" -> assignment(line);
            case "macro" -> macro();
            case "call" -> callBlock(line);
            case "filter" -> filterBlock(line);
            case "with" -> with(line);
            case "print" -> print(line);
            case "generation" -> {
                List<Node> body = scopedBody("endgeneration");
                tokens.next();
                yield new Node.Generation(body);
            }
            case "break" -> control(new Node.Break(), tag);
            case "continue" -> control(new Node.Continue(), tag);
            default -> throw REFUSED.contains(tag.text())
                ? tokens.unsupported("the statement '" + tag.text() + "'", line)
                : tokens.syntax("unknown tag '" + tag.text() + "'", line);
        };
    }

    private Node print(int line) throws TemplateException {
        List<Expr> values = new ArrayList<>();
        while (!tokens.at(Kind.BLOCK_END)) {
            if (!values.isEmpty()) {
                tokens.expectOperator(",");
            }
            values.add(expressions.expression());
        }
        return new Node.Print(new Expr.Concat(List.copyOf(values)), line);
    }

    private Node control(Node node, Token tag) throws TemplateException {
        if (loops == 0) {
            throw tokens.syntax("'" + tag.text() + "' outside loop", tag.line());
        }
        return node;
    }

    private Node conditional(int line) throws TemplateException {
        int mark = state.mark();
        List<Node.Branch> branches = new ArrayList<>();
        List<Node> otherwise = List.of();
        int at = line;
        while (true) {
            Expr condition = expressions.unconditionalTuple();
            branches.add(new Node.Branch(condition, body("elif", "else", "endif"), at));
            Token end = tokens.next();
            at = end.line();
            if (end.isName("else")) {
                otherwise = closedBody("endif");
            }
            if (!end.isName("elif")) {
                state.soften(mark);
                return new Node.If(List.copyOf(branches), otherwise);
            }
        }
    }

    private Node loop(int line) throws TemplateException {
        Target target = target(false);
        tokens.expectName("in");
        Expr iterable = expressions.unconditionalTuple();
        Expr filter = tokens.skipName("if") ? expressions.expression() : null;
        if (tokens.atName("recursive")) {
            throw tokens.unsupported("a recursive loop", line);
        }
        loops++;
        List<Node> body = scopedBody("endfor", "else");
        loops--;
        List<Node> otherwise = List.of();
        if (tokens.next().isName("else")) {
            otherwise = scopedBody("endfor");
            tokens.next();
        }
        return new Node.For(target, iterable, filter, body, otherwise, line);
    }

    private Node assignment(int line) throws TemplateException {
        Target target = target(true);
        if (tokens.skipOperator("=")) {
            return new Node.Assign(target, expressions.tuple(), line);
        }
        List<Expr.FilterStep> filters = filters();
        List<Node> body = scopedBody("endset");
        tokens.next();
        return new Node.AssignBlock(target, filters, body, line);
    }

    private List<Expr.FilterStep> filters() throws TemplateException {
        List<Expr.FilterStep> filters = new ArrayList<>();
        while (tokens.skipOperator("|")) {
            filters.add(expressions.operands().filter());
        }
        return List.copyOf(filters);
    }

    private Node macro() throws TemplateException {
        String name = variable().name();
        return new Node.DefineMacro(definition(name, parameters(), "endmacro"));
    }

    private MacroDefinition definition(String name, List<Parameter> parameters, String end) throws TemplateException {
        int outerLoops = loops;
        loops = 0;
        Set<String> outer = state.swapRead(new HashSet<>());
        List<Node> body = scopedBody(end);
        tokens.next();
        Set<String> read = state.swapRead(outer);
        outer.addAll(read);
        loops = outerLoops;
        return new MacroDefinition(name, parameters, body,
            read.contains("caller"), read.contains("varargs"), read.contains("kwargs"));
    }

    private List<Parameter> parameters() throws TemplateException {
        tokens.expectOperator("(");
        List<Parameter> parameters = new ArrayList<>();
        boolean defaults = false;
        while (!tokens.skipOperator(")")) {
            if (!parameters.isEmpty()) {
                tokens.expectOperator(",");
            }
            String name = variable().name();
            Expr fallback = tokens.skipOperator("=") ? expressions.expression() : null;
            if (fallback == null && defaults) {
                throw tokens.syntax("non-default argument follows default argument");
            }
            if (fallback == null && name.equals("caller")) {
                throw tokens.syntax("the parameter \"caller\" must have a default");
            }
            defaults = fallback != null;
            parameters.add(new Parameter(name, fallback));
        }
        return List.copyOf(parameters);
    }

    private Node callBlock(int line) throws TemplateException {
        List<Parameter> parameters = tokens.atOperator("(") ? parameters() : List.of();
        if (!(expressions.expression() instanceof Expr.Call call)) {
            throw tokens.syntax("expected call", line);
        }
        return new Node.CallBlock(call, definition("caller", parameters, "endcall"), line);
    }

    private Node filterBlock(int line) throws TemplateException {
        List<Expr.FilterStep> filters = new ArrayList<>(List.of(expressions.operands().filter()));
        filters.addAll(filters());
        List<Node> body = scopedBody("endfilter");
        tokens.next();
        return new Node.FilterBlock(List.copyOf(filters), body, line);
    }

    private Node with(int line) throws TemplateException {
        List<Target> targets = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (!tokens.at(Kind.BLOCK_END)) {
            if (!targets.isEmpty()) {
                tokens.expectOperator(",");
            }
            targets.add(target(false));
            tokens.expectOperator("=");
            values.add(expressions.expression());
        }
        List<Node> body = scopedBody("endwith");
        tokens.next();
        return new Node.With(List.copyOf(targets), List.copyOf(values), body, line);
    }

    /** A target, or several with commas, which unpack. */
    private Target target(boolean members) throws TemplateException {
        List<Target> targets = new ArrayList<>();
        boolean unpack = false;
        do {
            if (tokens.atOperator("=") || tokens.atOperator(")") || tokens.at(Kind.BLOCK_END)) {
                break;
            }
            targets.add(single(members));
            unpack |= tokens.atOperator(",");
        } while (tokens.skipOperator(","));
        if (targets.isEmpty()) {
            throw tokens.syntax("expected a name to assign to, got " + tokens.current().described());
        }
        return unpack ? new Target.Unpack(List.copyOf(targets)) : targets.getFirst();
    }

    private Target single(boolean members) throws TemplateException {
        if (tokens.skipOperator("(")) {
            state.enter(BLOCK_LEVELS);
            Target inner = target(members);
            state.leave(BLOCK_LEVELS);
            tokens.expectOperator(")");
            return inner;
        }
        Target.Variable variable = variable();
        return members && tokens.skipOperator(".")
            ? new Target.Member(variable.name(), tokens.expect(Kind.NAME).text()) : variable;
    }

    private Target.Variable variable() throws TemplateException {
        Token name = tokens.expect(Kind.NAME);
        if (CONSTANTS.contains(name.text())) {
            throw tokens.syntax("can't assign to " + name.described(), name.line());
        }
        return new Target.Variable(name.text());
    }
}
