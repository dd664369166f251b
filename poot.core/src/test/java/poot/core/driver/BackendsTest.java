package poot.core.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import poot.api.executor.Availability;
import poot.api.executor.ExecutorProvider;

/** A provider that cannot be made is listed with the reason. */
class BackendsTest {
    @Test
    void aProviderThatThrowsIsUnavailableBecauseOfIt() {
        ExecutorProvider made = Backends.make(new ServiceLoader.Provider<>() {
            @Override
            public Class<? extends ExecutorProvider> type() {
                return ExecutorProvider.class;
            }

            @Override
            public ExecutorProvider get() {
                throw new ServiceConfigurationError("provider", new IllegalStateException("no device library"));
            }
        });
        assertEquals(ExecutorProvider.class.getName(), made.name());
        Availability.Unavailable u = assertInstanceOf(Availability.Unavailable.class, made.probe());
        assertTrue(u.reason().contains("no device library"), u.reason());
    }
}
