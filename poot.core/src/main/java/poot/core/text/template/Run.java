package poot.core.text.template;

import poot.core.text.template.TemplateException.Failed;
import poot.core.text.template.TemplateException.Limit;
import poot.core.text.template.TemplateException.LimitExceeded;
import poot.core.text.template.TemplateException.PythonError;
import poot.core.text.template.TemplateException.TemplateFault;
import poot.core.text.template.TemplateException.UndefinedUse;

/**
 * One render: what it has used of its limits, the line it is at, and the faults it can end in. Whatever makes or walks
 * a value of the template's choosing asks here first, so the limits hold before anything is allocated.
 */
final class Run {
    /** Longest integer, in bits: beyond any count, and small enough that arithmetic on it takes no time. */
    static final int INTEGER_BITS = 1 << 15;

    /** What a value costs in memory, in characters. */
    private static final int VALUE_WEIGHT = 32;

    private final String template;
    private final TemplateSettings settings;
    private long steps;
    private long made;
    private int depth;
    private int line;

    Run(String template, TemplateSettings settings) {
        this.template = template;
        this.settings = settings;
    }

    TemplateSettings settings() {
        return settings;
    }

    String template() {
        return template;
    }

    int line() {
        return line;
    }

    /** Execution is now at a line. */
    void at(int line) {
        this.line = line;
    }

    /** One unit of work. */
    void step() throws TemplateException {
        if (++steps > settings.limits().steps()) {
            throw limit(Limit.STEPS, settings.limits().steps());
        }
    }

    /** Work on that many characters or elements. */
    void work(long elements) throws TemplateException {
        steps += elements >> 3;
        step();
    }

    /** A search for one text in another, which may compare them at every place. */
    void search(int textLength, int wantedLength) throws TemplateException {
        work((long) textLength * (1 + wantedLength / 64));
    }

    /** A value or output of that many characters or elements is about to be made. */
    void make(long length) throws TemplateException {
        if (length > settings.limits().size()) {
            throw limit(Limit.SIZE, settings.limits().size());
        }
        keep(length);
        work(length);
    }

    /** That many values are made, not only shared; each weighs as much as {@link #VALUE_WEIGHT} characters. */
    void fresh(long values) throws TemplateException {
        keep(values * VALUE_WEIGHT);
    }

    private void keep(long characters) throws TemplateException {
        made += characters;
        if (made > settings.limits().made()) {
            throw limit(Limit.MADE, settings.limits().made());
        }
    }

    /** Appends to a text that is growing, whose whole length must stay a value's. */
    void append(StringBuilder out, String text) throws TemplateException {
        work(text.length());
        keep(text.length());
        if ((long) out.length() + text.length() > settings.limits().size()) {
            throw limit(Limit.SIZE, settings.limits().size());
        }
        out.append(text);
    }

    /** An integer of about that many bits is about to be made. */
    void bits(long bits) throws TemplateException {
        if (bits > INTEGER_BITS) {
            throw limit(Limit.DIGITS, INTEGER_BITS);
        }
        work(bits);
    }

    /** One level deeper. A fault ends the render, so {@link #leave} is owed only on the good path. */
    void enter() throws TemplateException {
        if (++depth > settings.limits().depth()) {
            throw limit(Limit.DEPTH, settings.limits().depth());
        }
        step();
    }

    void leave() {
        depth--;
    }

    private TemplateException limit(Limit limit, long allowed) {
        return fault(new LimitExceeded(template, line, limit, allowed));
    }

    TemplateException fault(TemplateFault fault) {
        return new TemplateException(fault);
    }

    TemplateException failed(PythonError error, String problem) {
        return fault(new Failed(template, line, error, problem));
    }

    TemplateException type(String problem) {
        return failed(PythonError.TYPE, problem);
    }

    TemplateException value(String problem) {
        return failed(PythonError.VALUE, problem);
    }

    /** The error of using what is not there. */
    TemplateException undefined(Value.Undefined undefined) {
        String what = Names.complaint(undefined);
        return fault(undefined.unsafe() ? new TemplateException.Unsafe(template, line, what)
            : new UndefinedUse(template, line, what));
    }
}
