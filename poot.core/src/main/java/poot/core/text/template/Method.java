package poot.core.text.template;

/** A method of a kind of value. */
@FunctionalInterface
interface Method<V extends Value> {
    Value call(Run run, V self, Arguments arguments) throws TemplateException;
}
