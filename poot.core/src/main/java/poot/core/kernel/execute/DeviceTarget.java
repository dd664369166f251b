package poot.core.kernel.execute;

import java.util.Optional;
import poot.api.executor.Target;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Format;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.plan.Refusals;

/** What has a kernel is run. */
record DeviceTarget(DeviceLimits limits) implements Target {
    @Override
    public String name() {
        return limits.backend();
    }

    @Override
    public boolean claims(Composite composite) {
        return Refusals.claims(composite);
    }

    @Override
    public Optional<String> refusal(Equation equation) {
        return Refusals.of(equation);
    }

    @Override
    public boolean reads(Format format) {
        return Refusals.reads(format);
    }

    @Override
    public boolean multipliesGathered() {
        return true;
    }
}
