package poot.core.kernel.device;

import java.util.List;
import java.util.Objects;
import poot.core.kernel.ir.Param;

/**
 * A kernel run over a grid.
 *
 * @param arguments one for each parameter, in order
 */
public record Launch(CompiledKernel kernel, List<Argument> arguments, Grid grid, boolean after) implements Command {
    public Launch {
        Objects.requireNonNull(grid, "grid");
        arguments = List.copyOf(arguments);
        List<Param> params = kernel.kernel().params();
        if (arguments.size() != params.size()) {
            throw new IllegalArgumentException("kernel " + kernel.kernel().name() + " takes " + params.size() + " arguments, not "
                    + arguments.size() + ": give one for each parameter");
        }
        for (int i = 0; i < params.size(); i++) {
            if (params.get(i).reg().type() != arguments.get(i).type()) {
                throw new IllegalArgumentException("kernel " + kernel.kernel().name() + ", parameter " + params.get(i).name() + " of "
                        + params.get(i).reg().type() + " with an argument of " + arguments.get(i).type() + ": give its type");
            }
        }
    }
}
