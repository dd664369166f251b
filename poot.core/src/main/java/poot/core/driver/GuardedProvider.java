package poot.core.driver;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.function.Supplier;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/**
 * A provider of anybody's, held to its promises: what it throws that it may not is said to be its own, by class, module and
 * jar, and hides no other backend.
 *
 * @param name     what it is called; the class where it does not say
 * @param priority where it stands; last where it does not say
 */
record GuardedProvider(ExecutorProvider provider, String name, int priority) implements ExecutorProvider {
    /** Asks a provider for its name and place once. */
    static GuardedProvider of(ExecutorProvider provider) {
        return new GuardedProvider(provider, asked(provider::name, provider.getClass().getName()),
                asked(provider::priority, Integer.MIN_VALUE));
    }

    private static <T> T asked(Supplier<T> question, T otherwise) {
        try {
            T answer = question.get();
            return answer == null ? otherwise : answer;
        } catch (RuntimeException | LinkageError _) {
            return otherwise; // Its probe, or its opening, says what is wrong.
        }
    }

    /** Also where a class is missing that the provider needs. */
    @Override
    public Availability probe() {
        try {
            Availability found = provider.probe();
            return found != null ? found : new Availability.Unavailable(origin(provider.getClass()) + " does not say whether it can run");
        } catch (RuntimeException | LinkageError e) {
            return new Availability.Unavailable("looking for its device failed in " + origin(provider.getClass()) + ": " + e);
        }
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        Executor opened;
        try {
            opened = provider.open(options);
        } catch (RuntimeException | LinkageError e) {
            throw new ExecutorException(new NotAvailable(name, "opening it failed in " + origin(provider.getClass()) + ": " + e
                    + "; take that jar away, or ask who made it"), e);
        }
        if (opened == null) {
            throw new ExecutorException(new NotAvailable(name, origin(provider.getClass()) + " opened nothing; ask who made it"));
        }
        return opened;
    }

    /** Where a class comes from: its name, its module and its jar, as far as they are known. */
    static String origin(Class<?> type) {
        String module = type.getModule().isNamed() ? " of module " + type.getModule().getName() : "";
        CodeSource source = type.getProtectionDomain().getCodeSource();
        String place = source == null || source.getLocation() == null ? "" : " in " + source.getLocation();
        try {
            place = place.isEmpty() ? place : " in " + Path.of(source.getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException _) {
            // Not a file: its address says as much.
        }
        return type.getName() + module + place;
    }
}
