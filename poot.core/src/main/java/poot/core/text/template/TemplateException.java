package poot.core.text.template;

import java.util.Objects;
import poot.api.graph.Fault;

/** A chat template cannot be compiled or refuses to render; {@link #fault} says why. */
public final class TemplateException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong, and where: every case names the template and the line (counted from 1) it stopped at. */
    public sealed interface TemplateFault extends Fault {
        /** The template's name, as given when it was compiled. */
        String template();

        /** The line of the template, counted from 1; 0 before the first line is read. */
        int line();
    }

    /** The source is not a template: {@code problem} says what was found and what was expected. */
    public record Syntax(String template, int line, String problem) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + problem;
        }
    }

    /** Something that does not exist was used; {@code what} names it in jinja2's words. */
    public record UndefinedUse(String template, int line, String what) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + what;
        }
    }

    /** The template itself refused the conversation by calling {@code raise_exception}; {@code reason} is its text. */
    public record Raised(String template, int line, String reason) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + "refused by the template: " + reason;
        }
    }

    /** The template tried to change a value or to reach an internal attribute, which the sandbox forbids. */
    public record Unsafe(String template, int line, String what) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + what;
        }
    }

    /** An operation Python would fail: {@code error} is the class of its exception, {@code problem} its text. */
    public record Failed(String template, int line, PythonError error, String problem) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + problem;
        }
    }

    /** The classes of Python's exceptions an expression can end in. */
    public enum PythonError { TYPE, VALUE, KEY, INDEX, OVERFLOW, ZERO_DIVISION, ASSERTION, FILTER_ARGUMENT, RUNTIME }

    /** A part of the language that chat templates do not use and poot does not have. */
    public record Unsupported(String template, int line, String what) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + what + " is not supported in a chat template";
        }
    }

    /** The template asked for more than it may have; {@code allowed} is in the limit's unit. */
    public record LimitExceeded(String template, int line, Limit limit, long allowed) implements TemplateFault {
        @Override
        public String message() {
            return place(this) + "more than " + allowed + " " + limit.unit + "; raise TemplateLimits if it is trusted";
        }
    }

    /** What a template is bounded in. */
    public enum Limit {
        /** Length of the source. */
        SOURCE("characters of source"),
        /** Length of the rendered text, or of any text or list on the way. */
        SIZE("characters or elements in one value"),
        /** All texts and lists of one render together, whether kept or dropped; a new value counts as 32. */
        MADE("characters and elements made in all"),
        /** Work done: one per node evaluated, and one per eight characters or elements made or looked at. */
        STEPS("steps of work"),
        /** How deep expressions, blocks, macro calls and values nest. */
        DEPTH("levels of nesting"),
        /** Length of an integer. */
        DIGITS("bits in an integer");

        private final String unit;

        Limit(String unit) {
            this.unit = unit;
        }
    }

    /** A value of the context is of a type that has no counterpart in a template; {@code key} is the path to it. */
    public record BadContext(String template, String key, String type) implements TemplateFault {
        @Override
        public int line() {
            return 0;
        }

        @Override
        public String message() {
            return template + ": the context's " + key + " is of type " + type
                + "; give a Map with String keys, List, String, Number, Boolean or null";
        }
    }

    private final transient TemplateFault fault;

    /** An exception carrying the given facts. */
    public TemplateException(TemplateFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public TemplateFault fault() {
        return fault;
    }

    private static String place(TemplateFault fault) {
        return fault.template() + ":" + fault.line() + ": ";
    }
}
