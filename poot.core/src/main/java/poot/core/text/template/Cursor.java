package poot.core.text.template;

/** A walk over values, made one at a time when asked for. */
@FunctionalInterface
interface Cursor {
    /** The next value, or null after the last. */
    Value next() throws TemplateException;
}
