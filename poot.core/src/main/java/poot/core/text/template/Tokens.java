package poot.core.text.template;

import java.util.List;
import poot.core.text.template.Token.Kind;

/** The parser's place in the tokens of a template; the last token is {@code END} and is never passed. */
final class Tokens {
    private final String template;
    private final List<Token> tokens;
    private int at;

    Tokens(String template, List<Token> tokens) {
        this.template = template;
        this.tokens = tokens;
    }

    String template() {
        return template;
    }

    Token current() {
        return tokens.get(at);
    }

    Token look() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    Token next() {
        Token token = current();
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }

    boolean at(Kind kind) {
        return current().kind() == kind;
    }

    boolean atName(String name) {
        return current().isName(name);
    }

    boolean atOperator(String operator) {
        return current().isOperator(operator);
    }

    boolean skipName(String name) {
        boolean there = atName(name);
        if (there) {
            next();
        }
        return there;
    }

    boolean skipOperator(String operator) {
        boolean there = atOperator(operator);
        if (there) {
            next();
        }
        return there;
    }

    Token expect(Kind kind) throws TemplateException {
        if (!at(kind)) {
            throw syntax("expected " + kind.description() + ", got " + current().described());
        }
        return next();
    }

    void expectOperator(String operator) throws TemplateException {
        if (!skipOperator(operator)) {
            throw syntax("expected '" + operator + "', got " + current().described());
        }
    }

    void expectName(String name) throws TemplateException {
        if (!skipName(name)) {
            throw syntax("expected '" + name + "', got " + current().described());
        }
    }

    TemplateException syntax(String problem) {
        return syntax(problem, current().line());
    }

    TemplateException syntax(String problem, int line) {
        return new TemplateException(new TemplateException.Syntax(template, line, problem));
    }

    TemplateException unsupported(String what, int line) {
        return new TemplateException(new TemplateException.Unsupported(template, line, what));
    }
}
