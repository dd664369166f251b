package poot.core.text.template;

import java.time.Clock;
import java.util.Objects;

/**
 * What a template is rendered with besides its context.
 *
 * @param clock  what {@code strftime_now} reads, in its zone
 * @param limits what the template may use
 */
public record TemplateSettings(Clock clock, TemplateLimits limits) {
    /** Settings as given; neither may be null. */
    public TemplateSettings {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(limits, "limits");
    }

    /** The system's clock in its zone, and {@link TemplateLimits#DEFAULT}. */
    public static TemplateSettings standard() {
        return new TemplateSettings(Clock.systemDefaultZone(), TemplateLimits.DEFAULT);
    }
}
