package poot.core.text.template;

/**
 * A lexical piece of a template.
 *
 * @param kind what it is
 * @param text its text: of {@code STRING} with escapes resolved, of numbers without underscores
 * @param line the line it starts on, from 1
 */
record Token(Kind kind, String text, int line) {
    enum Kind { DATA, PRINT_BEGIN, PRINT_END, BLOCK_BEGIN, BLOCK_END, NAME, STRING, INTEGER, FLOAT, OPERATOR, END }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    boolean isOperator(String operator) {
        return kind == Kind.OPERATOR && text.equals(operator);
    }

    /** How a fault names it. */
    String described() {
        return switch (kind) {
            case DATA -> "template data";
            case PRINT_BEGIN -> "begin of print statement";
            case PRINT_END -> "end of print statement";
            case BLOCK_BEGIN -> "begin of statement block";
            case BLOCK_END -> "end of statement block";
            case END -> "end of template";
            case NAME, STRING, INTEGER, FLOAT, OPERATOR -> "'" + text + "'";
        };
    }
}
