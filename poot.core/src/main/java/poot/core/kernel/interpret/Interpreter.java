package poot.core.kernel.interpret;

import java.util.List;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.DeviceKernel;

/**
 * Runs kernels: the living definition of what they mean. Workgroups run one after the other, the threads of one side by
 * side. It finds barriers that not all threads reach, subgroups that are not whole, accesses that leave their buffer,
 * are not aligned or read what nothing wrote, threads that race, and results that are undefined; each is a
 * {@link KernelFaultException} that names the place.
 */
final class Interpreter {
    private Interpreter() {}

    /**
     * Runs a valid kernel over a grid.
     *
     * @param arguments one for each parameter; memory of an {@link InterpretedDevice}
     */
    static void run(DeviceKernel kernel, List<Argument> arguments, Grid grid, Phases phases) throws KernelFaultException {
        Site site = new Site(kernel.name(), phases);
        List<Binding> bindings = Binding.of(kernel, arguments);
        Registers registers = new Registers(kernel);
        for (site.z = 0; site.z < grid.z(); site.z++) {
            for (site.y = 0; site.y < grid.y(); site.y++) {
                for (site.x = 0; site.x < grid.x(); site.x++) {
                    phases.beginWorkgroup();
                    new WorkgroupRun(kernel, site, grid, bindings, registers).run();
                }
            }
        }
    }
}
