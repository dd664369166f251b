package poot.engine;

import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.step.Vulkan;

/** Tokens drawn on a Vulkan device. */
class DrawnRequestsVulkanTest extends DrawnRequestsSuite {
    DrawnRequestsVulkanTest() {
        super(8, 24);
    }

    @Override
    Executor open() throws ExecutorException {
        return Vulkan.shared();
    }
}
