package poot.core.text.template;

/**
 * A lexical piece of a template.
 *
 * @param kind what it is
 * @param text its text: of {@code STRING} with escapes resolved, of numbers without underscores
 * @param line the line it starts on, from 1
 */
record Token(Kind kind, String text, int line) {
    enum Kind {
        DATA("template data"), PRINT_BEGIN("begin of print statement"), PRINT_END("end of print statement"),
        BLOCK_BEGIN("begin of statement block"), BLOCK_END("end of statement block"), NAME("a name"), STRING("a string"),
        INTEGER("an integer"), FLOAT("a float"), OPERATOR("an operator"), END("end of template");

        private final String description;

        Kind(String description) {
            this.description = description;
        }

        String description() {
            return description;
        }
    }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    boolean isOperator(String operator) {
        return kind == Kind.OPERATOR && text.equals(operator);
    }

    /** How a fault names it. */
    String described() {
        return switch (kind) {
            case DATA, PRINT_BEGIN, PRINT_END, BLOCK_BEGIN, BLOCK_END, END -> kind.description;
            case NAME, STRING, INTEGER, FLOAT, OPERATOR -> "'" + text + "'";
        };
    }
}
