package poot.core.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/** A provider that cannot be made, or not be asked, is listed with the reason. */
class BackendsTest {
    @Test
    void aProviderThatThrowsIsUnavailableBecauseOfIt() {
        ExecutorProvider made = made(() -> {
            throw new ServiceConfigurationError("provider", new IllegalStateException("no device library"));
        });
        assertEquals(ExecutorProvider.class.getName(), made.name());
        assertTrue(reason(made).contains("no device library"), reason(made));
    }

    @Test
    void aProviderWhoseProbeThrowsIsUnavailableBecauseOfIt() {
        ExecutorProvider made = made(() -> new Throwing(new IllegalStateException("no device")));
        assertEquals("throwing", made.name());
        assertTrue(reason(made).contains("BackendsTest$Throwing"), reason(made));
        assertTrue(reason(made).endsWith(": java.lang.IllegalStateException: no device"), reason(made));
        ExecutorProvider lacking = made(() -> new Throwing(new NoClassDefFoundError("vendor/Device")));
        assertTrue(reason(lacking).contains("vendor/Device"), reason(lacking));
    }

    /** What a provider throws is not a fault of poot's: its class and where that lies are named. */
    @Test
    void aProviderThatThrowsWhenOpenedIsNamed() {
        for (Throwable what : new Throwable[] {new IllegalStateException("no queue"), new UnsatisfiedLinkError("no queue")}) {
            ExecutorProvider made = made(() -> new Throwing(what));
            NotAvailable fault = assertInstanceOf(NotAvailable.class,
                    assertThrows(ExecutorException.class, () -> made.open(ExecutorOptions.DEFAULT)).fault());
            assertEquals("throwing", fault.backend());
            assertTrue(fault.reason().contains("no queue") && fault.reason().contains("BackendsTest$Throwing")
                    && fault.reason().contains("test-classes"), fault.reason());
        }
    }

    /** It goes by its class, behind all others. */
    @Test
    void aProviderThatDoesNotEvenSayItsNameHidesNoOther() {
        ExecutorProvider made = made(() -> new Throwing(new IllegalStateException("no name")) {
            @Override
            public String name() {
                throw new IllegalStateException("no name");
            }

            @Override
            public int priority() {
                throw new NoClassDefFoundError("vendor/Device");
            }
        });
        assertTrue(made.name().startsWith(BackendsTest.class.getName()), made.name());
        assertEquals(Integer.MIN_VALUE, made.priority());
    }

    private static String reason(ExecutorProvider provider) {
        return assertInstanceOf(Availability.Unavailable.class, provider.probe()).reason();
    }

    private static ExecutorProvider made(Supplier<ExecutorProvider> get) {
        return Backends.make(new ServiceLoader.Provider<>() {
            @Override
            public Class<? extends ExecutorProvider> type() {
                return ExecutorProvider.class;
            }

            @Override
            public ExecutorProvider get() {
                return get.get();
            }
        });
    }

    /** A provider that breaks its promise. */
    private static class Throwing implements ExecutorProvider {
        private final Throwable what;

        Throwing(Throwable what) {
            this.what = what;
        }

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public int priority() {
            return 0;
        }

        @Override
        public Availability probe() {
            throw thrown();
        }

        @Override
        public Executor open(ExecutorOptions options) {
            throw thrown();
        }

        private RuntimeException thrown() {
            if (what instanceof RuntimeException e) {
                return e;
            }
            throw (Error) what;
        }
    }
}
